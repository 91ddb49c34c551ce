import { describe, expect, it } from 'vitest';
import { type CureContext, cureOf } from '../../src/explain/cures.ts';
import { REASONS, type Reason } from '../../src/model/reason.ts';

const context: CureContext = {
  domain: 'loops.example.org:8443',
  host: 'loops.example.org',
  port: 8443,
  softwareId: 'loops',
  robotsToken: 'Loopscout',
  advertisedUrl: 'https://cdn.example.org/nodeinfo/2.0.json',
  lastUrl: 'https://cdn.example.org/robots.txt',
  forbidden: [],
};

/** Every outcome of a visit. */
const outcomes = Object.entries(REASONS).flatMap(([reason, { verdicts }]) =>
  verdicts.map((verdict) => [verdict, reason as Reason] as const),
);

it.each(outcomes)(
  'the verdict %s because of %s has a cure that begins with a complete sentence, unless config named Loops',
  (verdict, reason) => {
    const cure = cureOf(verdict, reason, context);
    if (verdict === 'loops' && reason === 'config-software') expect(cure).toBeNull();
    else expect(cure?.split('\n')[0]).toMatch(/^[A-Z].{20,280}[.)]$/);
    expect(cure ?? '').not.toMatch(/undefined|null|\$\{/);
  },
);

describe('a cure', () => {
  it('names the port of the domain', () => {
    expect(cureOf('unreachable', 'connect-refused', context)).toContain('port 8443');
  });

  it('names the configured software id', () => {
    const cure = cureOf('other', 'config-software', { ...context, softwareId: 'loops-staging' });
    expect(cure).toContain('exactly "loops-staging"');
  });

  it('names the advertised address while the steps of the visit are stored', () => {
    expect(cureOf('unidentified', 'href-dead', context)).toContain('at https://cdn.example.org/nodeinfo/2.0.json,');
    expect(cureOf('unidentified', 'href-dead', { ...context, advertisedUrl: null })).toContain(
      'at the advertised address,',
    );
  });

  it('gives the exact robots.txt lines for the host that forbade the paths', () => {
    const forbidden = [{ host: 'cdn.example.org', path: '/nodeinfo/2.0.json', isNamed: false }];
    expect(cureOf('declined', 'robots-forbidden', { ...context, forbidden })).toBe(
      'Add these lines to https://cdn.example.org/robots.txt.\nUser-agent: Loopscout\nAllow: /nodeinfo/2.0.json',
    );
  });

  it('replaces the rules of a group that names the crawler, which lines for single paths would not list', () => {
    const forbidden = [{ host: 'loops.example.org', path: '/api/v1/config', isNamed: true }];
    expect(cureOf('declined', 'robots-forbidden', { ...context, forbidden })).toMatch(
      /^Remove the group .* or replace its rules\.\nUser-agent: Loopscout\nAllow: \/$/,
    );
  });
});
