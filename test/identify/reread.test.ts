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

/** Rereads a visit, by default exactly as recorded. */
function again(visit: Visit, changes: Partial<RereadOptions> = {}, withSteps = true) {
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
  if (result === null || typeof result === 'string') throw new Error(`Nothing was concluded: ${result}.`);
  return result;
}

/** Asserts that rereading confirms the visit, or that the visit rests on something else; returns which. */
function expectUnmoved(visit: Visit): 'decided' | 'silent' {
  const { verdict, reason, via, software, version, aliasOf, facts, retryAfterMs } = visit;
  for (const withSteps of [true, false]) {
    const result = again(visit, {}, withSteps);
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
    if (withSteps || via === 'config') expect(concluded(result).canonicalHost).toBe(visit.host.canonicalHost);
  }
  if (via !== null) expect(again(visit)).not.toBeNull();
  return again(visit) === null ? 'silent' : 'decided';
}

const parsersWith = (changes: Partial<Parsers>): Parsers => ({ ...PARSERS, ...changes });

describe('a visit just made is read as it was decided', () => {
  it('of every kind of host in the fleet', { timeout: 120_000 }, async () => {
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
          connectMs: 10_000,
          responseMs: 10_000,
          visitMs: 15_000,
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
        fleet.hosts.map(async ({ domain }) => {
          const resolved = await identifier.resolve(domainOf(domain));
          const visit = 'verdict' in resolved ? resolved : await identifier.identify(resolved);
          counts[expectUnmoved(visit)]++;
        }),
      );
    }
    // Guards against a test that never decides anything.
    expect(counts.decided).toBeGreaterThan(50);
  });

  const document = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...['config', 'links', 'nodeinfo'].flatMap(fixtureNames)).map(fixture) },
    { weight: 2, arbitrary: fc.json().map((text) => JSON.parse(text) as unknown) },
  );
  const oddReply = fc.constantFrom<Reply>(
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
    { weight: 2, arbitrary: oddReply },
  );
  const href = fc.constantFrom(
    `https://server.example${NODEINFO}`,
    `http://server.example${NODEINFO}`,
    'https://node.example/nodeinfo/2.0?x=1',
    'https://server.example:8448/nodeinfo',
    '/nodeinfo/2.0',
  );
  const discovery = fc.oneof(
    { weight: 4, arbitrary: href.map((address) => links(address)) },
    { weight: 1, arbitrary: reply },
  );
  const robotsText = fc.constantFrom(
    status(404),
    robots('User-agent: *\nDisallow: /api/'),
    robots('User-agent: *\nDisallow: /nodeinfo'),
    robots('User-agent: *\nDisallow: /moved'),
    status(503),
  );

  it('of random documents and answers, with the steps and without', { timeout: 60_000 }, async () => {
    const seen = { decided: 0, silent: 0 };
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
        async (world, mode, isCircle) => {
          const script: Script = {
            '/robots.txt': world.robots,
            [CONFIG]: world.config,
            [DISCOVERY]: world.discovery,
            [NODEINFO]: world.nodeInfo,
            [`http://server.example${NODEINFO}`]: world.nodeInfo,
            'https://node.example/robots.txt': world.elsewhere,
            'https://node.example/nodeinfo/2.0?x=1': world.nodeInfo,
            '/moved': world.moved,
            'https://node.example/moved': world.moved,
            'http://server.example/moved': world.moved,
          };
          const aliasOf = (): KnownAlias | null =>
            isCircle ? { to: domainOf('server.example'), at: VISITED_AT } : null;
          const { visit } = await visitScript(script, { robots: mode, aliasOf }).catch((error: Error) => {
            // Fixtures advertise addresses of their own.
            if (error.message.startsWith('The script has no answer')) return { visit: null };
            throw error;
          });
          if (visit !== null) seen[expectUnmoved(visit)]++;
        },
      ),
      { numRuns: 1_000 },
    );
    expect(Math.min(seen.decided, seen.silent)).toBeGreaterThan(100);
  });
});

describe('a parser that changed', () => {
  const loopsConfig = fixture('config-whole');
  const nodeInfo = fixture('nodeinfo-loops');
  const usual: Script = { [CONFIG]: json(loopsConfig), ...nodeInfoAt(nodeInfo) };

  it('of config changes the facts that it reads, and nothing else', async () => {
    const { visit } = await visitScript(usual);
    const parsers = parsersWith({
      config: (document) => {
        const read = PARSERS.config(document);
        return read === null ? null : { ...read, name: 'Read otherwise' };
      },
    });
    const { decision } = concluded(again(visit, { parsers }));
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
    expect(concluded(again(visit, { parsers })).decision.facts?.usage.users).toBe(7);
  });

  it('finds Loops where config said nothing that was understood', async () => {
    const { visit } = await visitScript({ [CONFIG]: json({ software: { id: 'loops' } }), [DISCOVERY]: status(404) });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'no-nodeinfo' });
    const parsers = parsersWith({ config: () => PARSERS.config(loopsConfig) });
    const { decision } = concluded(again(visit, { parsers }));
    expect(decision).toMatchObject({ verdict: 'loops', via: 'config' });
    expect(decision.facts?.flags).toContain('nodeinfo-unavailable');
  });

  it('does not flag NodeInfo as unavailable when it was not requested', async () => {
    const { visit } = await visitScript({ [CONFIG]: json(fixture('config-of-another-software')) });
    expect(visit.verdict).toBe('other');
    const parsers = parsersWith({ config: () => PARSERS.config(loopsConfig) });
    for (const withSteps of [true, false]) {
      const { decision } = concluded(again(visit, { parsers }, withSteps));
      expect(decision.verdict).toBe('loops');
      expect(decision.facts?.flags).not.toContain('nodeinfo-unavailable');
    }
  });

  it('falls back to the NodeInfo document that was read beside config', async () => {
    const { visit } = await visitScript(usual);
    const { decision } = concluded(again(visit, { parsers: parsersWith({ config: () => null }) }));
    expect(decision).toMatchObject({ verdict: 'loops', via: 'nodeinfo', reason: 'nodeinfo-software' });
  });

  it('says that it would ask elsewhere when config settles nothing any more and NodeInfo was not read', async () => {
    const { visit } = await visitScript({ [CONFIG]: json(fixture('config-of-another-software')) });
    expect(again(visit, { parsers: parsersWith({ config: () => null }) })).toBe('would-ask-elsewhere');
  });

  it('says that it would ask elsewhere when discovery leads to another address than the one asked', async () => {
    const two = json({
      links: [
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `https://server.example${NODEINFO}` },
        { rel: 'http://nodeinfo.diaspora.software/ns/schema/2.1', href: 'https://server.example/nodeinfo/2.1' },
      ],
    });
    const { visit } = await visitScript({ [CONFIG]: status(404), [DISCOVERY]: two, [NODEINFO]: json(nodeInfo) });
    const to = (address: string) => parsersWith({ discovery: () => ({ href: address }) });
    expect(again(visit, { parsers: to('https://server.example/nodeinfo/2.1') })).toBe('would-ask-elsewhere');
    expect(again(visit, { parsers: to('https://node.example/nodeinfo/2.0') }, false)).toBe('would-ask-elsewhere');
    expect(concluded(again(visit, { parsers: to(`https://server.example${NODEINFO}`) })).decision.verdict).toBe(
      'loops',
    );
  });

  it('says that it would ask elsewhere when discovery leads somewhere and nothing was asked then', async () => {
    const { visit } = await visitScript({ [CONFIG]: status(404), [DISCOVERY]: json({ nodeinfo: NODEINFO }) });
    expect(visit.reason).toBe('no-nodeinfo-2.0-link');
    const parsers = parsersWith({ discovery: () => ({ href: `https://server.example${NODEINFO}` }) });
    expect(again(visit, { parsers })).toBe('would-ask-elsewhere');
  });

  it.each([
    ['no-nodeinfo-2.0-link', { discovery: () => null }],
    ['href-invalid', { discovery: () => ({ href: '/nodeinfo/2.0' }) }],
    ['href-refused', { discovery: () => ({ href: 'https://server.example:8448/nodeinfo' }) }],
    ['nodeinfo-no-software', { nodeInfo: () => null }],
  ] satisfies [string, Partial<Parsers>][])('gives the reason of today: %s', async (reason, changed) => {
    const { visit } = await visitScript({ ...nodeInfoAt(nodeInfo), [CONFIG]: status(404) });
    for (const withSteps of [true, false]) {
      const { decision } = concluded(again(visit, { parsers: parsersWith(changed) }, withSteps));
      expect(decision).toMatchObject({ verdict: 'unidentified', reason, via: null, facts: null });
    }
  });

  it.each<[string, Reply, Partial<Visit>]>([
    ['an answer of 410', status(410), { verdict: 'declined', reason: 'gone' }],
    ['a robots.txt that forbids it', json({}), { verdict: 'declined', reason: 'robots-forbidden' }],
    ['a redirect', redirect('https://elsewhere.example/'), { verdict: 'alias', reason: 'redirected' }],
  ])('weighs what config came to: %s', async (what, reply, expected) => {
    const isForbidden = what.startsWith('a robots.txt');
    const { visit } = await visitScript(
      {
        ...nodeInfoAt(nodeInfo),
        [CONFIG]: reply,
        '/robots.txt': isForbidden ? robots('User-agent: *\nDisallow: /api/') : status(404),
      },
      { robots: 'strict' },
    );
    expect(visit).toMatchObject({ verdict: 'loops', via: 'nodeinfo' });
    // A discovery document that is no JSON object any more.
    const documents = { ...visit.documents, discovery: Buffer.from('no longer') };
    expect(concluded(again(visit, { documents })).decision).toMatchObject(expected);
  });

  it('keeps how long the host asked to be left alone', async () => {
    const { visit } = await visitScript({
      [CONFIG]: json(loopsConfig),
      [DISCOVERY]: status(503, { 'retry-after': '60' }),
    });
    expect(visit.retryAfterMs).toBe(60_000);
    const parsers = parsersWith({ config: () => PARSERS.config(fixture('config-of-another-software')) });
    expect(concluded(again(visit, { parsers })).decision).toMatchObject({ verdict: 'other', retryAfterMs: 60_000 });
  });

  it('finds the host that an instance names', async () => {
    const { visit } = await visitScript(usual);
    const parsers = parsersWith({
      config: (document) => {
        const read = PARSERS.config(document);
        return read === null ? null : { ...read, appUrl: 'https://main.example' };
      },
    });
    expect(concluded(again(visit, { parsers })).canonicalHost).toBe('main.example');
  });
});

describe('what rests on something else stands, whatever the parsers', () => {
  const blind: Parsers = { config: () => null, discovery: () => null, nodeInfo: () => null };

  it.each<[string, Script]>([
    ['robots.txt that is unavailable', { '/robots.txt': status(503) }],
    ['silence', { [CONFIG]: 'connect-refused' }],
    ['no NodeInfo', { [CONFIG]: status(404), [DISCOVERY]: status(404) }],
    ['a redirect away', { [CONFIG]: redirect('https://b.example/'), [DISCOVERY]: redirect('https://b.example/') }],
    [
      'a challenge page',
      { [CONFIG]: status(404), [DISCOVERY]: { status: 200, body: '<title>Just a moment...</title>' } },
    ],
  ])('%s', async (_what, script) => {
    const { visit } = await visitScript(script);
    expect(visit.via).toBeNull();
    expect(again(visit, { parsers: blind })).toBeNull();
    expect(again(visit, { parsers: blind }, false)).toBeNull();
  });

  it('a dead href, while discovery leads to it', async () => {
    const { visit } = await visitScript({ ...nodeInfoAt({}), [CONFIG]: status(404), [NODEINFO]: status(404) });
    expect(visit.reason).toBe('href-dead');
    expect(again(visit)).toBeNull();
    expect(concluded(again(visit, { parsers: blind })).decision.reason).toBe('no-nodeinfo-2.0-link');
  });

  it('an address on another host whose robots.txt could not be had', async () => {
    const { visit } = await visitScript({
      [CONFIG]: status(404),
      [DISCOVERY]: links('https://node.example/nodeinfo/2.0'),
      'https://node.example/robots.txt': status(503),
    });
    expect(visit.reason).toBe('href-dead');
    expect(again(visit)).toBeNull();
  });
});
