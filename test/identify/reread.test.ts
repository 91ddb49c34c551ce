import { createSecureContext } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import { createResolver } from '../../src/http/resolver.ts';
import { createHttp } from '../../src/http/visit-client.ts';
import { PARSERS, type Parsers } from '../../src/identify/documents.ts';
import { createIdentifier } from '../../src/identify/identifier.ts';
import { type RereadOptions, reread } from '../../src/identify/reread.ts';
import type { Conclusion } from '../../src/identify/resolve-verdict.ts';
import type { RobotsMode } from '../../src/identify/robots-gate.ts';
import type { KnownAlias } from '../../src/model/domain-record.ts';
import type { Visit } from '../../src/model/visit.ts';
import { createFleet, kinds } from '../../src/reference/index.ts';
import { sampleOf, sized } from '../full-size.ts';
import { fixture, fixtureNames } from './fixture.ts';
import {
  CONFIG,
  DISCOVERY,
  domainOf,
  html,
  json,
  links,
  NODEINFO,
  nodeInfoAt,
  type Reply,
  redirect,
  robots,
  type Script,
  status,
  VISITED_AT,
  visitScript,
} from './scripted-visit.ts';

/** Rereads a visit from its stored documents, by default with its recorded steps and the current parsers. */
function rereadVisit(visit: Visit, changes: Partial<RereadOptions> = {}, withSteps = true) {
  const { domain, at, documents, verdict, reason, via, software, version, aliasOf, facts, retryAfterMs, steps } = visit;
  const decision = { verdict, reason, via, software, version, aliasOf, facts, retryAfterMs };
  return reread({
    domain,
    at,
    documents,
    recorded: { ...decision, steps: withSteps ? steps : null },
    softwareId: 'loops',
    allowSuffixes: ['example'],
    ...changes,
  });
}

function concluded(result: ReturnType<typeof reread>): Conclusion {
  if (result === null || typeof result === 'string') throw new Error(`There is no conclusion: ${result}.`);
  return result;
}

/** Asserts that rereading confirms the decision, or gives no result (`silent`) because the decision needs no document. */
function expectUnchanged(visit: Visit): 'decided' | 'silent' {
  const { verdict, reason, via, software, version, aliasOf, facts, retryAfterMs } = visit;
  for (const withSteps of [true, false]) {
    const result = rereadVisit(visit, {}, withSteps);
    if (result === null) continue;
    expect(concluded(result).decision).toEqual({
      verdict,
      reason,
      via,
      software,
      version,
      aliasOf,
      facts,
      retryAfterMs,
    });
    // Without its steps, only the configuration names the canonical host.
    if (withSteps || via === 'config') expect(concluded(result).canonicalHost).toBe(visit.host.canonicalHost);
  }
  if (via !== null) expect(rereadVisit(visit)).not.toBeNull();
  return rereadVisit(visit) === null ? 'silent' : 'decided';
}

const parsersWith = (changes: Partial<Parsers>): Parsers => ({ ...PARSERS, ...changes });

describe('rereading a visit with the same parsers confirms its decision', () => {
  it('for the kinds of hosts in the fleet that do not stall', { timeout: 120_000 }, async () => {
    // The kinds of weight 0 stall until a time-out.
    const quick = kinds.filter(({ weight }) => weight !== 0);
    await using fleet = await createFleet({ hosts: quick.length });
    const clock = () => performance.now();
    const resolver = createResolver({ servers: [fleet.dnsServer], timeoutMs: 5_000 });
    const guard = createAddressGuard(['127.0.0.1/32']);
    const identifierOf = (mode: RobotsMode) =>
      createIdentifier({
        resolver,
        guard,
        openClient: createHttp({
          secureContext: createSecureContext({ ca: fleet.caPem }),
          guard,
          resolver,
          clock,
          userAgent: 'Loopscout/0.0.0 (+https://loopscout.example)',
          connectMs: 15_000,
          responseMs: 15_000,
          visitMs: 30_000,
          maxBodyBytes: 262_144,
        }),
        clock,
        robots: mode,
        now: Date.now,
        softwareId: 'loops',
        allowSuffixes: ['example'],
        pause: async () => undefined,
      });
    const counts = { decided: 0, silent: 0 };
    for (const mode of ['standard', 'strict'] as const) {
      const identifier = identifierOf(mode);
      await Promise.all(
        sampleOf(fleet.hosts, 3).map(async ({ domain }) => {
          const resolved = await identifier.resolve(domainOf(domain));
          const visit = 'verdict' in resolved ? resolved : await identifier.identify(resolved);
          counts[expectUnchanged(visit)]++;
        }),
      );
    }
    // Without this check the test would pass even if nothing was decided.
    expect(counts.decided).toBeGreaterThan(sized({ full: 50, quick: 15 }));
  });

  const document = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...['config', 'links', 'nodeinfo'].flatMap(fixtureNames)).map(fixture) },
    { weight: 2, arbitrary: fc.json().map((text) => JSON.parse(text) as unknown) },
  );
  const unexpectedReply = fc.constantFrom<Reply>(
    html,
    { status: 200, body: '{"app":{"software":"loops"}} trailing' },
    { status: 200, body: '<title>Just a moment...</title>' },
    status(404),
    status(410),
    status(429, { 'retry-after': '600' }),
    status(503, { 'retry-after': '60' }),
    redirect('https://elsewhere.example/'),
    redirect('/moved'),
    redirect('http://server.example/x'),
    'connection-reset',
    'response-timeout',
    'body-too-large',
    'connect-refused',
  );
  const reply = fc.oneof(
    { weight: 3, arbitrary: document.map((body) => json(body)) },
    { weight: 2, arbitrary: unexpectedReply },
  );
  const href = fc.constantFrom(
    `https://server.example${NODEINFO}`,
    `http://server.example${NODEINFO}`,
    'https://node.example/nodeinfo/2.0?x=1',
    'https://server.example:8448/nodeinfo',
    '/nodeinfo/2.0',
  );
  const discovery = fc.oneof({ weight: 4, arbitrary: href.map((url) => links(url)) }, { weight: 1, arbitrary: reply });
  const robotsText = fc.constantFrom(
    status(404),
    robots('User-agent: *\nDisallow: /api/'),
    robots('User-agent: *\nDisallow: /nodeinfo'),
    robots('User-agent: *\nDisallow: /moved'),
    status(503),
  );

  it('for random documents and responses, with the steps and without', { timeout: 60_000 }, async () => {
    const counts = { decided: 0, silent: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          config: reply,
          discovery,
          nodeInfo: reply,
          moved: reply,
          robots: robotsText,
          elsewhere: robotsText,
        }),
        fc.constantFrom<RobotsMode>('standard', 'strict', 'off'),
        fc.boolean(),
        async (responses, mode, redirectsBack) => {
          const script: Script = {
            '/robots.txt': responses.robots,
            [CONFIG]: responses.config,
            [DISCOVERY]: responses.discovery,
            [NODEINFO]: responses.nodeInfo,
            [`http://server.example${NODEINFO}`]: responses.nodeInfo,
            'https://node.example/robots.txt': responses.elsewhere,
            'https://node.example/nodeinfo/2.0?x=1': responses.nodeInfo,
            '/moved': responses.moved,
            'https://node.example/moved': responses.moved,
            'http://server.example/moved': responses.moved,
          };
          const aliasOf = (): KnownAlias | null =>
            redirectsBack ? { to: domainOf('server.example'), at: VISITED_AT } : null;
          const { visit } = await visitScript(script, { robots: mode, aliasOf }).catch((error: Error) => {
            // Some fixtures advertise URLs that are not in the script.
            if (error.message.startsWith('The script has no answer')) return { visit: null };
            throw error;
          });
          if (visit !== null) counts[expectUnchanged(visit)]++;
        },
      ),
      { numRuns: 400 },
    );
    expect(Math.min(counts.decided, counts.silent)).toBeGreaterThan(100);
  });
});

describe('a changed parser', () => {
  const loopsConfig = fixture('config-whole');
  const nodeInfo = fixture('nodeinfo-loops');
  const usual: Script = { [CONFIG]: json(loopsConfig), ...nodeInfoAt(nodeInfo) };

  it('of config changes only the facts that it reads', async () => {
    const { visit } = await visitScript(usual);
    const parsers = parsersWith({
      config: (document) => {
        const read = PARSERS.config(document);
        return read === null ? null : { ...read, name: 'Read otherwise' };
      },
    });
    const { decision } = concluded(rereadVisit(visit, { parsers }));
    expect(decision.facts).toEqual({ ...visit.facts, name: 'Read otherwise' });
    expect(decision).toMatchObject({ verdict: 'loops', reason: 'config-software', via: 'config' });
  });

  it('of NodeInfo changes the counts', async () => {
    const { visit } = await visitScript(usual);
    const parsers = parsersWith({
      nodeInfo: (document) => {
        const read = PARSERS.nodeInfo(document);
        return read === null ? null : { ...read, usage: { ...read.usage, users: 7 } };
      },
    });
    expect(concluded(rereadVisit(visit, { parsers })).decision.facts?.usage.users).toBe(7);
  });

  it('identifies Loops from a config that was not understood before', async () => {
    const { visit } = await visitScript({ [CONFIG]: json({ software: { id: 'loops' } }), [DISCOVERY]: status(404) });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'no-nodeinfo' });
    const parsers = parsersWith({ config: () => PARSERS.config(loopsConfig) });
    const { decision } = concluded(rereadVisit(visit, { parsers }));
    expect(decision).toMatchObject({ verdict: 'loops', via: 'config' });
    expect(decision.facts?.flags).toContain('nodeinfo-unavailable');
  });

  it('does not flag NodeInfo as unavailable when it was not requested', async () => {
    const { visit } = await visitScript({ [CONFIG]: json(fixture('config-of-another-software')) });
    expect(visit.verdict).toBe('other');
    const parsers = parsersWith({ config: () => PARSERS.config(loopsConfig) });
    for (const withSteps of [true, false]) {
      const { decision } = concluded(rereadVisit(visit, { parsers }, withSteps));
      expect(decision.verdict).toBe('loops');
      expect(decision.facts?.flags).not.toContain('nodeinfo-unavailable');
    }
  });

  it('falls back to the stored NodeInfo document when config is no longer conclusive', async () => {
    const { visit } = await visitScript(usual);
    const { decision } = concluded(rereadVisit(visit, { parsers: parsersWith({ config: () => null }) }));
    expect(decision).toMatchObject({ verdict: 'loops', via: 'nodeinfo', reason: 'nodeinfo-software' });
  });

  it('returns needs-another-request when config is no longer conclusive and NodeInfo was not requested', async () => {
    const { visit } = await visitScript({ [CONFIG]: json(fixture('config-of-another-software')) });
    expect(rereadVisit(visit, { parsers: parsersWith({ config: () => null }) })).toBe('needs-another-request');
  });

  it('returns needs-another-request when discovery leads to another URL than the requested one', async () => {
    const twoLinks = json({
      links: [
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `https://server.example${NODEINFO}` },
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1', href: 'https://server.example/nodeinfo/2.1' },
      ],
    });
    const { visit } = await visitScript({ [CONFIG]: status(404), [DISCOVERY]: twoLinks, [NODEINFO]: json(nodeInfo) });
    const leadingTo = (href: string) => parsersWith({ discovery: () => ({ href }) });
    expect(rereadVisit(visit, { parsers: leadingTo('https://server.example/nodeinfo/2.1') })).toBe(
      'needs-another-request',
    );
    expect(rereadVisit(visit, { parsers: leadingTo('https://node.example/nodeinfo/2.0') }, false)).toBe(
      'needs-another-request',
    );
    expect(
      concluded(rereadVisit(visit, { parsers: leadingTo(`https://server.example${NODEINFO}`) })).decision.verdict,
    ).toBe('loops');
  });

  it('returns needs-another-request when discovery leads to a URL and none was requested', async () => {
    const { visit } = await visitScript({ [CONFIG]: status(404), [DISCOVERY]: json({ nodeinfo: NODEINFO }) });
    expect(visit.reason).toBe('no-nodeinfo-2.0-link');
    const parsers = parsersWith({ discovery: () => ({ href: `https://server.example${NODEINFO}` }) });
    expect(rereadVisit(visit, { parsers })).toBe('needs-another-request');
  });

  it.each([
    ['no-nodeinfo-2.0-link', { discovery: () => null }],
    ['href-invalid', { discovery: () => ({ href: '/nodeinfo/2.0' }) }],
    ['href-refused', { discovery: () => ({ href: 'https://server.example:8448/nodeinfo' }) }],
    ['nodeinfo-no-software', { nodeInfo: () => null }],
  ] satisfies [string, Partial<Parsers>][])('gives the reason of the changed parser: %s', async (reason, changed) => {
    const { visit } = await visitScript({ ...nodeInfoAt(nodeInfo), [CONFIG]: status(404) });
    for (const withSteps of [true, false]) {
      const { decision } = concluded(rereadVisit(visit, { parsers: parsersWith(changed) }, withSteps));
      expect(decision).toMatchObject({ verdict: 'unidentified', reason, via: null, facts: null });
    }
  });

  it('keeps the recorded Retry-After', async () => {
    const { visit } = await visitScript({
      [CONFIG]: json(loopsConfig),
      [DISCOVERY]: status(503, { 'retry-after': '60' }),
    });
    expect(visit.retryAfterMs).toBe(60_000);
    const parsers = parsersWith({ config: () => PARSERS.config(fixture('config-of-another-software')) });
    expect(concluded(rereadVisit(visit, { parsers })).decision).toMatchObject({
      verdict: 'other',
      retryAfterMs: 60_000,
    });
  });

  it('updates the canonical host of an instance', async () => {
    const { visit } = await visitScript(usual);
    const parsers = parsersWith({
      config: (document) => {
        const read = PARSERS.config(document);
        return read === null ? null : { ...read, appUrl: 'https://main.example' };
      },
    });
    expect(concluded(rereadVisit(visit, { parsers })).canonicalHost).toBe('main.example');
  });
});

it.each<[string, Reply, Partial<Visit>]>([
  ['a response of 410', status(410), { verdict: 'declined', reason: 'gone' }],
  ['a robots.txt that forbids it', json({}), { verdict: 'declined', reason: 'robots-forbidden' }],
  ['a redirect', redirect('https://elsewhere.example/'), { verdict: 'alias', reason: 'redirected' }],
])(
  'when the stored discovery document can no longer be parsed, the request for config decides: %s',
  async (what, reply, expected) => {
    const isForbidden = what.startsWith('a robots.txt');
    const { visit } = await visitScript(
      {
        ...nodeInfoAt(fixture('nodeinfo-loops')),
        [CONFIG]: reply,
        '/robots.txt': isForbidden ? robots('User-agent: *\nDisallow: /api/') : status(404),
      },
      { robots: 'strict' },
    );
    expect(visit).toMatchObject({ verdict: 'loops', via: 'nodeinfo' });
    const documents = { ...visit.documents, discovery: Buffer.from('no longer') };
    expect(concluded(rereadVisit(visit, { documents })).decision).toMatchObject(expected);
  },
);

describe('a decision that needs no document stays, whatever the parsers:', () => {
  const blind: Parsers = { config: () => null, discovery: () => null, nodeInfo: () => null };

  it.each<[string, Script]>([
    ['robots.txt that is unavailable', { '/robots.txt': status(503) }],
    ['a refused connection', { [CONFIG]: 'connect-refused' }],
    ['no NodeInfo', { [CONFIG]: status(404), [DISCOVERY]: status(404) }],
    [
      'a redirect to another host',
      { [CONFIG]: redirect('https://b.example/'), [DISCOVERY]: redirect('https://b.example/') },
    ],
    [
      'a challenge page',
      { [CONFIG]: status(404), [DISCOVERY]: { status: 200, body: '<title>Just a moment...</title>' } },
    ],
  ])('%s', async (_what, script) => {
    const { visit } = await visitScript(script);
    expect(visit.via).toBeNull();
    expect(rereadVisit(visit, { parsers: blind })).toBeNull();
    expect(rereadVisit(visit, { parsers: blind }, false)).toBeNull();
  });

  it('a dead href, as long as discovery leads to it', async () => {
    const { visit } = await visitScript({ ...nodeInfoAt({}), [CONFIG]: status(404), [NODEINFO]: status(404) });
    expect(visit.reason).toBe('href-dead');
    expect(rereadVisit(visit)).toBeNull();
    expect(concluded(rereadVisit(visit, { parsers: blind })).decision.reason).toBe('no-nodeinfo-2.0-link');
  });

  it('a NodeInfo URL on another host whose robots.txt is unavailable', async () => {
    const { visit } = await visitScript({
      [CONFIG]: status(404),
      [DISCOVERY]: links('https://node.example/nodeinfo/2.0'),
      'https://node.example/robots.txt': status(503),
    });
    expect(visit.reason).toBe('href-dead');
    expect(rereadVisit(visit)).toBeNull();
  });
});
