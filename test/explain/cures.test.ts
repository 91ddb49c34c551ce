import { describe, expect, it } from 'vitest';
import { cureOf, type Patient } from '../../src/explain/cures.ts';
import { REASONS, type Reason } from '../../src/model/reason.ts';

const patient: Patient = {
  domain: 'loops.example.org:8443',
  host: 'loops.example.org',
  port: 8443,
  softwareId: 'loops',
  robotsToken: 'Loopscout',
  advertisedUrl: 'https://cdn.example.org/nodeinfo/2.0.json',
  lastUrl: 'https://cdn.example.org/robots.txt',
  forbidden: [],
};

const pairs = Object.entries(REASONS).flatMap(([reason, { verdicts }]) =>
  verdicts.map((verdict) => [verdict, reason as Reason] as const),
);

it.each(pairs)('%s because of %s has a cure in whole sentences, or is Loops', (verdict, reason) => {
  const cure = cureOf(verdict, reason, patient);
  if (verdict === 'loops' && reason === 'config-software') expect(cure).toBeNull();
  else expect(cure?.split('\n')[0]).toMatch(/^[A-Z].{20,280}[.)]$/);
  expect(cure ?? '').not.toMatch(/undefined|null|\$\{/);
});

describe('a cure', () => {
  it('names the port that the domain names', () => {
    expect(cureOf('unreachable', 'connect-refused', patient)).toContain('port 8443');
  });

  it('names the software id that the settings ask for', () => {
    const cure = cureOf('other', 'config-software', { ...patient, softwareId: 'loops-staging' });
    expect(cure).toContain('exactly "loops-staging"');
  });

  it('names the address that was advertised, when the requests of the visit are still kept', () => {
    expect(cureOf('unidentified', 'href-dead', patient)).toContain('Let https://cdn.example.org/nodeinfo/2.0.json ');
    expect(cureOf('unidentified', 'href-dead', { ...patient, advertisedUrl: null })).toContain(
      'Let the advertised address ',
    );
  });

  it('gives the very lines for the robots.txt of the host that closed the paths', () => {
    const forbidden = [{ host: 'cdn.example.org', path: '/nodeinfo/2.0.json' }];
    expect(cureOf('declined', 'robots-forbidden', { ...patient, forbidden })).toBe(
      'Add to https://cdn.example.org/robots.txt these lines.\nUser-agent: Loopscout\nAllow: /nodeinfo/2.0.json',
    );
  });
});
