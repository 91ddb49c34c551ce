import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { PARSERS, type Parsers } from '../../src/identify/documents.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import { type ReplayDifference, type ReplayOptions, replay } from '../../src/replay/replay.ts';
import { afterVisit } from '../../src/schedule/after-visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { fixture } from '../identify/fixture.ts';
import {
  CONFIG,
  DISCOVERY,
  domainOf,
  html,
  json,
  links,
  nodeInfoAt,
  redirect,
  type Script,
  status,
  VISITED_AT,
  visitScript,
} from '../identify/scripted-visit.ts';
import { HOUR_MS, standardPolicy } from '../schedule/standard-policy.ts';
import { scratchPath, withSqlite } from '../store/scratch.ts';

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
});

const config = fixture('config-whole') as { app: Record<string, unknown> };
const loopsServer = (version: string): Script => ({
  [CONFIG]: json({ ...config, app: { ...config.app, version }, federation: false }),
});
const mastodonServer = (version: string, domain: string): Script => ({
  [CONFIG]: status(404),
  ...nodeInfoAt({ version: '2.0', software: { name: 'mastodon', version } }, domain),
});

async function openScratch() {
  const path = scratchPath();
  const store = await openStore({ path });
  opened.push(store);
  let at = VISITED_AT;
  /** Makes and records a visit like a crawl does, one hour after the previous one. */
  async function visit(name: string, script: Script): Promise<Visit> {
    at += HOUR_MS;
    const domain = domainOf(name);
    const { visit: visited } = await visitScript(script, { domain: name });
    const ended = { ...visited, at };
    if (ended.facts?.usage.asOf != null) {
      const usage = { ...ended.facts.usage, asOf: new Date(at).toISOString() };
      ended.facts = { ...ended.facts, usage };
    }
    store.requestVisit([domain], at);
    const [lease] = store.lease(1, at, { only: [domain] });
    if (lease === undefined) throw new Error(`${name} could not be leased.`);
    const after = afterVisit(lease.record, ended, at, 0.5, standardPolicy);
    expect(store.record([{ lease, visit: ended, after }]).recorded).toBe(1);
    return ended;
  }
  async function run(parsers: Partial<Parsers> = {}, options: Partial<ReplayOptions> = {}, softwareId = 'loops') {
    const differences: ReplayDifference[] = [];
    const report = await replay(
      {
        store,
        softwareId,
        allowSuffixes: ['example'],
        policy: standardPolicy,
        parsers: { ...PARSERS, ...parsers },
        now: () => at,
        clock: () => performance.now(),
        random: () => 0.5,
      },
      {
        apply: false,
        signal: new AbortController().signal,
        onDifference: (difference) => {
          differences.push(difference);
        },
        ...options,
      },
    );
    return { report, differences };
  }
  const withReader = <T>(read: (reader: StoreReader) => T): T => {
    using reader = store.reader();
    return read(reader);
  };
  const find = (name: string) => withReader((reader) => reader.find(domainOf(name)));
  return { path, store, visit, run, withReader, find, now: () => at };
}

/** Visits hosts of many kinds, each twice. */
async function visitMany(scratch: Awaited<ReturnType<typeof openScratch>>, count: number): Promise<void> {
  // Some versions begin with v, which the parsers `bareVersions` strip.
  const scripts: ((name: string, i: number) => Script)[] = [
    (_, i) => loopsServer(Math.floor(i / 9) % 2 === 0 ? `v1.0.${i}` : `1.0.${i}`),
    (name) => ({ [CONFIG]: json(config), ...nodeInfoAt(fixture('nodeinfo-loops'), name) }),
    (name, i) => mastodonServer(Math.floor(i / 9) % 3 === 0 ? `v4.${i}` : `4.${i}`, name),
    () => ({ [CONFIG]: html, [DISCOVERY]: html }),
    () => ({ [CONFIG]: status(404), [DISCOVERY]: json({ links: [] }) }),
    (name) => ({ [CONFIG]: status(404), [DISCOVERY]: links(`https://${name}/gone`), '/gone': status(404) }),
    () => ({ [CONFIG]: redirect('https://b.example/'), [DISCOVERY]: redirect('https://b.example/') }),
    () => ({ [CONFIG]: 'connect-refused' }),
    () => ({ '/robots.txt': status(503) }),
  ];
  for (let i = 0; i < count; i++) {
    const name = `h${i}.example`;
    const script = scripts[i % scripts.length]?.(name, i) ?? {};
    await scratch.visit(name, script);
    await scratch.visit(name, script);
  }
}

/** The product's parsers, except that these strip the leading v of a version. */
const bareVersions: Partial<Parsers> = {
  config: (document) => {
    const read = PARSERS.config(document);
    return read === null ? null : { ...read, version: read.version?.replace(/^v/, '') ?? null };
  },
  nodeInfo: (document) => {
    const read = PARSERS.nodeInfo(document);
    return read === null ? null : { ...read, version: read.version?.replace(/^v/, '') ?? null };
  },
};

describe('a replay', () => {
  test('counts visits with a redacted document, and keeps their verdicts and facts', async () => {
    const scratch = await openScratch();
    const configWithName = { ...config, app: { ...config.app, version: 'v1.0', description: 'once at gone.example' } };
    await scratch.visit('a.example', { [CONFIG]: json({ ...configWithName, federation: false }) });
    await scratch.visit('b.example', loopsServer('v1.0'));
    const discovery = links('https://c.example/nodeinfo/2.0?from=gone.example');
    const script = {
      [CONFIG]: html,
      [DISCOVERY]: discovery,
      '/nodeinfo/2.0?from=gone.example': json(fixture('nodeinfo-loops')),
    };
    await scratch.visit('c.example', script);
    scratch.store.forget([domainOf('gone.example')], scratch.now());
    const readRedacted = () =>
      ['a.example', 'c.example'].map((name) => [
        scratch.find(name),
        scratch.withReader((reader) => [...reader.visitsOf(domainOf(name))]),
      ]);
    const before = readRedacted();
    const { report, differences } = await scratch.run(bareVersions, { apply: true });
    expect(report).toMatchObject({
      visits: 3,
      withheld: 2,
      changedVisits: 1,
      damaged: { count: 0 },
      wouldAskElsewhere: { count: 0 },
    });
    expect(differences.map(({ domain }) => domain)).toEqual(expect.arrayContaining(['b.example']));
    expect(differences.some(({ domain }) => domain !== 'b.example')).toBe(false);
    expect(readRedacted()).toEqual(before);
  });

  test('with unchanged parsers reports no differences', async () => {
    const scratch = await openScratch();
    await visitMany(scratch, 90);
    const { report, differences } = await scratch.run();
    expect(differences).toEqual([]);
    expect(report).toMatchObject({ end: 'done', applied: false, changedVisits: 0, byField: {}, uncorrected: 0 });
    expect(report.visits).toBeGreaterThan(90);
    expect([report.wouldAskElsewhere.count, report.damaged.count]).toEqual([0, 0]);
  });

  test('with a changed parser reports exactly the affected records', async () => {
    const scratch = await openScratch();
    await visitMany(scratch, 90);
    const affected = scratch.withReader((reader) =>
      [...reader.domains()].flatMap(({ domain }) =>
        [...reader.visitsOf(domain)]
          .filter(({ version }) => version?.startsWith('v'))
          .map(({ id, at, version }) => ({
            domain,
            visitId: id,
            at,
            field: 'version',
            from: version,
            to: version?.slice(1),
          })),
      ),
    );
    expect(affected.length).toBeGreaterThan(4);
    const { report, differences } = await scratch.run(bareVersions);
    expect(differences).toEqual(affected.sort((a, b) => a.visitId - b.visitId));
    expect(report).toMatchObject({ changedVisits: affected.length, byField: { version: affected.length } });
    expect((await scratch.run()).differences).toEqual([]);
  });

  test('with apply changes exactly the reported records, without adding changes to the history; a second replay reports nothing', async () => {
    const scratch = await openScratch();
    await visitMany(scratch, 90);
    const readAll = () =>
      scratch.withReader((reader) =>
        [...reader.domains()].map((record) => ({ record, visits: [...reader.visitsOf(record.domain)] })),
      );
    const before = readAll();
    const { report } = await scratch.run(bareVersions, { apply: true });
    expect(report).toMatchObject({ applied: true, uncorrected: 0 });
    const withoutV = (version: string | null) => version?.replace(/^v/, '') ?? null;
    expect(readAll()).toEqual(
      before.map(({ record, visits }) => ({
        record: { ...record, version: withoutV(record.version) },
        visits: visits.map((visit) => ({
          ...visit,
          version: withoutV(visit.version),
          facts: visit.facts === null ? null : { ...visit.facts, version: withoutV(visit.facts.version) },
        })),
      })),
    );
    const changed = scratch.withReader((reader) =>
      before.flatMap(({ record: { domain } }) => {
        const changes = [...reader.changesOf(domain)].filter(({ cause }) => cause === 'replay');
        return changes.map(({ field, from, to }) => ({ domain, field, from, to }));
      }),
    );
    // All visits of a domain have the same version, before the replay and after it, so the history has no change.
    expect(changed).toEqual([]);
    const second = await scratch.run(bareVersions, { apply: true });
    expect(second.differences).toEqual([]);
    expect(second.report).toMatchObject({ changedVisits: 0, uncorrected: 0 });
  });
});

describe('after an applied replay', () => {
  const capitalLoops = (name: string): Script => ({
    [CONFIG]: status(404),
    ...nodeInfoAt({ version: '2.0', software: { name: 'Loops', version: '1' } }, name),
  });
  /** Reads the software name in lower case. */
  const caseInsensitive: Partial<Parsers> = {
    nodeInfo: (document) => {
      const read = PARSERS.nodeInfo(document);
      return read === null ? null : { ...read, softwareId: read.softwareId.toLowerCase() };
    },
  };

  test('a domain found to be Loops is listed, and due at once if its interval has passed', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', capitalLoops('a.example'));
    // Each visit takes an hour, so that the 6 hours between visits of a Loops server pass.
    for (let i = 0; i < 10; i++) await scratch.visit('clock.example', mastodonServer('1', 'clock.example'));
    await scratch.run(caseInsensitive, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      verdict: 'loops',
      identifiedAs: 'loops',
      wasEverLoops: true,
      via: 'nodeinfo',
      state: 'active',
      nextVisit: scratch.now(),
    });
    expect(scratch.withReader((reader) => [...reader.instances(scratch.now())].map(({ domain }) => domain))).toEqual([
      'a.example',
    ]);
  });

  test('the next visit follows the interval of the new verdict, counted from the last visit', async () => {
    const scratch = await openScratch();
    const { at } = await scratch.visit('a.example', capitalLoops('a.example'));
    await scratch.run(caseInsensitive, { apply: true });
    expect(scratch.find('a.example')?.nextVisit).toBe(at + 6 * HOUR_MS);
  });

  test('a domain found never to have been Loops leaves the directory and is no longer a former Loops server', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('1'));
    await scratch.visit('a.example', loopsServer('2'));
    await scratch.run({}, { apply: true }, 'reels');
    expect(scratch.find('a.example')).toMatchObject({ identifiedAs: 'other', wasEverLoops: false, software: 'loops' });
    expect(scratch.withReader((reader) => [...reader.instances(scratch.now())])).toEqual([]);
    expect((await scratch.run({}, {}, 'reels')).differences).toEqual([]);
  });

  test('the identification of a domain comes from an earlier visit if the last one has become inconclusive', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('1'));
    await scratch.visit('a.example', mastodonServer('2', 'a.example'));
    const withoutNodeInfo: Partial<Parsers> = { nodeInfo: () => null };
    await scratch.run(withoutNodeInfo, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      verdict: 'unidentified',
      reason: 'nodeinfo-no-software',
      identifiedAs: 'loops',
      version: '1',
      state: 'failing',
      failures: 1,
    });
  });

  test('the software of a domain is unknown if no visit is conclusive any more', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', mastodonServer('2', 'a.example'));
    await scratch.run({ nodeInfo: () => null }, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      identifiedAs: null,
      via: null,
      software: null,
      version: null,
      state: 'active',
    });
  });

  test('the facts of a domain come from its last conclusive visit, even if later ones failed', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('v1'));
    await scratch.visit('a.example', { [CONFIG]: 'connect-refused' });
    await scratch.visit('a.example', { [CONFIG]: html, [DISCOVERY]: status(404) });
    await scratch.run(bareVersions, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      state: 'failing',
      failures: 2,
      version: '1',
      verdict: 'unidentified',
    });
    const stored = scratch.withReader((reader) => reader.factsOf(domainOf('a.example')));
    expect(stored?.facts.version).toBe('1');
  });

  test('a domain is unchanged if only a superseded visit differs', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('v1'));
    await scratch.visit('a.example', loopsServer('2'));
    const before = scratch.find('a.example');
    const { differences } = await scratch.run(bareVersions, { apply: true });
    expect(differences).toMatchObject([{ field: 'version', from: 'v1', to: '1' }]);
    expect(scratch.find('a.example')).toEqual(before);
    expect(scratch.withReader((reader) => reader.factsOf(domainOf('a.example')))?.facts.version).toBe('2');
  });

  test('the canonical host of an instance is parsed again', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('1'));
    const withCanonicalHost: Partial<Parsers> = {
      config: (document) => {
        const read = PARSERS.config(document);
        return read === null ? null : { ...read, appUrl: 'https://main.example' };
      },
    };
    const { differences } = await scratch.run(withCanonicalHost, { apply: true });
    expect(differences.find(({ field }) => field === 'pointsTo')).toMatchObject({
      from: 'server.example',
      to: 'main.example',
    });
    expect(scratch.find('a.example')?.host.canonicalHost).toBe('main.example');
    expect((await scratch.run(withCanonicalHost)).differences).toEqual([]);
  });
});

describe('an applied replay leaves unchanged', () => {
  test('a leased domain, until the next replay', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('v1'));
    scratch.store.requestVisit([domainOf('a.example')], scratch.now());
    const leases = scratch.store.lease(1, scratch.now());
    expect(leases).toHaveLength(1);
    expect((await scratch.run(bareVersions, { apply: true })).report.uncorrected).toBe(1);
    expect(scratch.find('a.example')?.version).toBe('v1');
    scratch.store.release(leases);
    expect((await scratch.run(bareVersions, { apply: true })).report.uncorrected).toBe(0);
    expect(scratch.find('a.example')?.version).toBe('1');
  });

  test('a domain that opts out during the replay', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('v1'));
    const forget = () => {
      scratch.store.forget([domainOf('a.example')], scratch.now());
    };
    const { report } = await scratch.run(bareVersions, { apply: true, onDifference: forget });
    expect(report.uncorrected).toBe(1);
    expect(scratch.find('a.example')).toBeNull();
    expect(scratch.withReader((reader) => [...reader.visitsOf(domainOf('a.example'))])).toEqual([]);
  });

  test('a visit whose discovery document now leads to another URL', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', mastodonServer('1', 'a.example'));
    const before = scratch.find('a.example');
    const otherDiscovery: Partial<Parsers> = { discovery: () => ({ href: 'https://a.example/nodeinfo/2.1' }) };
    const { report, differences } = await scratch.run(otherDiscovery, { apply: true });
    expect(differences).toEqual([]);
    expect(report.wouldAskElsewhere).toMatchObject({ count: 1, visits: [{ domain: 'a.example' }] });
    expect(scratch.find('a.example')).toEqual(before);
  });

  test.each([
    ['missing', 'delete from documents where id = :id'],
    ['does not inflate', "update documents set deflated = 1, body = x'0102', bytes = 2 where id = :id"],
    ['does not match its hash', "update documents set deflated = 0, body = x'7b7d', bytes = 2 where id = :id"],
  ])('a visit with a damaged stored document: %s', async (problem, sql) => {
    const scratch = await openScratch();
    const { domain } = await scratch.visit('a.example', loopsServer('v1'));
    await scratch.visit('b.example', loopsServer('v2'));
    const [visit] = scratch.withReader((reader) => [...reader.visitsOf(domain)]);
    withSqlite(scratch.path, (sqlite) => {
      sqlite.pragma('foreign_keys = off');
      expect(sqlite.prepare(sql).run({ id: visit?.documents.config }).changes).toBe(1);
    });
    const { report, differences } = await scratch.run(bareVersions, { apply: true });
    expect(report.damaged).toMatchObject({ count: 1, visits: [{ domain, document: 'config', problem }] });
    expect(differences.map(({ domain: changed }) => changed)).toEqual(['b.example']);
  });
});

describe('a long replay', () => {
  /** Visits a host, and records copies of the visit for so many further domains. */
  async function recordCopies(scratch: Awaited<ReturnType<typeof openScratch>>, count: number): Promise<void> {
    const visited = await scratch.visit('first.example', loopsServer('v1'));
    const domains = Array.from({ length: count }, (_, i) => domainOf(`copy${i}.example`));
    scratch.store.enter(domains, visited.at);
    const leases = scratch.store.lease(count, visited.at, { only: domains });
    scratch.store.record(
      leases.map((lease) => {
        const visit: Visit = { ...visited, domain: lease.record.domain as Domain };
        return { lease, visit, after: afterVisit(lease.record, visit, visited.at, 0.5, standardPolicy) };
      }),
    );
  }

  test('has the same result with and without apply', async () => {
    const scratch = await openScratch();
    const clips: Script = { [CONFIG]: json({ ...config, app: { ...config.app, software: 'clips' } }) };
    for (let round = 0; round < 3; round++)
      for (let i = 0; i < 60; i++) await scratch.visit(`h${i}.example`, { ...clips, [DISCOVERY]: status(404) });
    const preview = await scratch.run({}, {}, 'clips');
    expect(preview.report.byField).toMatchObject({ verdict: 180, pointsTo: 180 });
    const applied = await scratch.run({}, { apply: true }, 'clips');
    expect(applied).toEqual({ ...preview, report: { ...preview.report, applied: true } });
    expect((await scratch.run({}, {}, 'clips')).differences).toEqual([]);
  });

  test('stops between two visits and keeps what it has recorded', async () => {
    const scratch = await openScratch();
    await recordCopies(scratch, 500);
    const controller = new AbortController();
    let reported = 0;
    const onDifference = () => {
      if (++reported === 250) controller.abort();
    };
    const { report } = await scratch.run(bareVersions, { apply: true, onDifference, signal: controller.signal });
    expect(report).toMatchObject({ end: 'stopped', differenceCount: 250 });
    const remaining = await scratch.run(bareVersions);
    expect(remaining.report).toMatchObject({ end: 'done', differenceCount: 251 });
  });

  test('yields to the event loop', async () => {
    const scratch = await openScratch();
    await recordCopies(scratch, 1_200);
    let isDone = false;
    let ticks = 0;
    const watch = (async () => {
      for (; !isDone; ticks++) await nextTurn();
    })();
    const { report } = await scratch.run(bareVersions);
    isDone = true;
    await watch;
    expect(report.differenceCount).toBe(1_201);
    expect(ticks).toBeGreaterThan(4);
  });
});
