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
import { meddle, scratchPath } from '../store/scratch.ts';

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
});

const config = fixture('config-whole') as { app: Record<string, unknown> };
const loopsOf = (version: string): Script => ({
  [CONFIG]: json({ ...config, app: { ...config.app, version }, federation: false }),
});
const otherOf = (version: string, domain: string): Script => ({
  [CONFIG]: status(404),
  ...nodeInfoAt({ version: '2.0', software: { name: 'mastodon', version } }, domain),
});

async function openScratch() {
  const path = scratchPath();
  const store = await openStore({ path });
  opened.push(store);
  let at = VISITED_AT;
  /** One visit of a domain as a crawl makes and records it; each an hour after the one before. */
  async function visit(name: string, script: Script): Promise<Visit> {
    at += HOUR_MS;
    const domain = domainOf(name);
    const { visit: made } = await visitScript(script, { domain: name });
    const ended = { ...made, at };
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
  const reading = <T>(read: (reader: StoreReader) => T): T => {
    using reader = store.reader();
    return read(reader);
  };
  const find = (name: string) => reading((reader) => reader.find(domainOf(name)));
  return { path, store, visit, run, reading, find, now: () => at };
}

/** Hosts of many sorts, each visited twice. */
async function visitMany(scratch: Awaited<ReturnType<typeof openScratch>>, count: number): Promise<void> {
  const sorts: ((name: string, i: number) => Script)[] = [
    (_, i) => loopsOf(Math.floor(i / 9) % 2 === 0 ? `v1.0.${i}` : `1.0.${i}`),
    (name) => ({ [CONFIG]: json(config), ...nodeInfoAt(fixture('nodeinfo-loops'), name) }),
    (name, i) => otherOf(Math.floor(i / 9) % 3 === 0 ? `v4.${i}` : `4.${i}`, name),
    () => ({ [CONFIG]: html, [DISCOVERY]: html }),
    () => ({ [CONFIG]: status(404), [DISCOVERY]: json({ links: [] }) }),
    (name) => ({ [CONFIG]: status(404), [DISCOVERY]: links(`https://${name}/gone`), '/gone': status(404) }),
    () => ({ [CONFIG]: redirect('https://b.example/'), [DISCOVERY]: redirect('https://b.example/') }),
    () => ({ [CONFIG]: 'connect-refused' }),
    () => ({ '/robots.txt': status(503) }),
  ];
  for (let i = 0; i < count; i++) {
    const name = `h${i}.example`;
    const script = sorts[i % sorts.length]?.(name, i) ?? {};
    await scratch.visit(name, script);
    await scratch.visit(name, script);
  }
}

/** Reads a version that begins with a v without it: the one shape of document that is read differently. */
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
  test('counts visits of which a document is withheld, and changes neither their verdicts nor their facts', async () => {
    const scratch = await openScratch();
    const named = { ...config, app: { ...config.app, version: 'v1.0', description: 'once at gone.example' } };
    await scratch.visit('a.example', { [CONFIG]: json({ ...named, federation: false }) });
    await scratch.visit('b.example', loopsOf('v1.0'));
    const discovery = links('https://c.example/nodeinfo/2.0?from=gone.example');
    const script = {
      [CONFIG]: html,
      [DISCOVERY]: discovery,
      '/nodeinfo/2.0?from=gone.example': json(fixture('nodeinfo-loops')),
    };
    await scratch.visit('c.example', script);
    scratch.store.forget([domainOf('gone.example')], scratch.now());
    const said = () =>
      ['a.example', 'c.example'].map((name) => [
        scratch.find(name),
        scratch.reading((reader) => [...reader.visitsOf(domainOf(name))]),
      ]);
    const before = said();
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
    expect(said()).toEqual(before);
  });

  test('by the parsers that the visits were made with reports nothing', async () => {
    const scratch = await openScratch();
    await visitMany(scratch, 90);
    const { report, differences } = await scratch.run();
    expect(differences).toEqual([]);
    expect(report).toMatchObject({ end: 'done', applied: false, changedVisits: 0, byField: {}, left: 0 });
    expect(report.visits).toBeGreaterThan(90);
    expect([report.wouldAskElsewhere.count, report.damaged.count]).toEqual([0, 0]);
  });

  test('after a parser was changed on purpose reports exactly the records that it affects', async () => {
    const scratch = await openScratch();
    await visitMany(scratch, 90);
    const affected = scratch.reading((reader) =>
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
    expect(affected.length).toBeGreaterThan(10);
    const { report, differences } = await scratch.run(bareVersions);
    expect(differences).toEqual(affected.sort((a, b) => a.visitId - b.visitId));
    expect(report).toMatchObject({ changedVisits: affected.length, byField: { version: affected.length } });
    expect((await scratch.run()).differences).toEqual([]);
  });

  test('that is applied changes exactly those, with the cause replay, and a second one reports nothing', async () => {
    const scratch = await openScratch();
    await visitMany(scratch, 90);
    const everything = () =>
      scratch.reading((reader) =>
        [...reader.domains()].map((record) => ({ record, visits: [...reader.visitsOf(record.domain)] })),
      );
    const before = everything();
    const { report } = await scratch.run(bareVersions, { apply: true });
    expect(report).toMatchObject({ applied: true, left: 0 });
    const bare = (version: string | null) => version?.replace(/^v/, '') ?? null;
    expect(everything()).toEqual(
      before.map(({ record, visits }) => ({
        record: { ...record, version: bare(record.version) },
        visits: visits.map((visit) => ({
          ...visit,
          version: bare(visit.version),
          facts: visit.facts === null ? null : { ...visit.facts, version: bare(visit.facts.version) },
        })),
      })),
    );
    const changed = scratch.reading((reader) =>
      before.flatMap(({ record: { domain } }) => {
        const changes = [...reader.changesOf(domain)].filter(({ cause }) => cause === 'replay');
        return changes.map(({ field, from, to }) => ({ domain, field, from, to }));
      }),
    );
    // The version is what it is from the first visit on: to learn it is no change.
    expect(changed).toEqual([]);
    const second = await scratch.run(bareVersions, { apply: true });
    expect(second.differences).toEqual([]);
    expect(second.report).toMatchObject({ changedVisits: 0, left: 0 });
  });
});

describe('of what is kept of a domain', () => {
  const servesLoops = (name: string): Script => ({
    [CONFIG]: status(404),
    ...nodeInfoAt({ version: '2.0', software: { name: 'Loops', version: '1' } }, name),
  });
  /** The name in capitals is taken for the software. */
  const anyCase: Partial<Parsers> = {
    nodeInfo: (document) => {
      const read = PARSERS.nodeInfo(document);
      return read === null ? null : { ...read, softwareId: read.softwareId.toLowerCase() };
    },
  };

  test('a domain that turns out to be Loops is listed, and due now where the interval has passed', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', servesLoops('a.example'));
    for (let i = 0; i < 10; i++) await scratch.visit('clock.example', otherOf('1', 'clock.example'));
    await scratch.run(anyCase, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      verdict: 'loops',
      conclusive: 'loops',
      wasEverLoops: true,
      via: 'nodeinfo',
      state: 'active',
      nextVisit: scratch.now(),
    });
    expect(scratch.reading((reader) => [...reader.instances(scratch.now())].map(({ domain }) => domain))).toEqual([
      'a.example',
    ]);
  });

  test('the next visit follows the new verdict from the visit on, where its interval has not passed', async () => {
    const scratch = await openScratch();
    const { at } = await scratch.visit('a.example', servesLoops('a.example'));
    await scratch.run(anyCase, { apply: true });
    expect(scratch.find('a.example')?.nextVisit).toBe(at + 6 * HOUR_MS);
  });

  test('a domain that never was Loops leaves the directory, and is no longer held to have been', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsOf('1'));
    await scratch.visit('a.example', loopsOf('2'));
    await scratch.run({}, { apply: true }, 'reels');
    expect(scratch.find('a.example')).toMatchObject({ conclusive: 'other', wasEverLoops: false, software: 'loops' });
    expect(scratch.reading((reader) => [...reader.instances(scratch.now())])).toEqual([]);
    expect((await scratch.run({}, {}, 'reels')).differences).toEqual([]);
  });

  test('rests on an earlier visit when the last says nothing any more', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsOf('1'));
    await scratch.visit('a.example', otherOf('2', 'a.example'));
    const blind: Partial<Parsers> = { nodeInfo: () => null };
    await scratch.run(blind, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      verdict: 'unidentified',
      reason: 'nodeinfo-no-software',
      conclusive: 'loops',
      version: '1',
      state: 'failing',
      failures: 1,
    });
  });

  test('is unknown when no visit says it any more', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', otherOf('2', 'a.example'));
    await scratch.run({ nodeInfo: () => null }, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      conclusive: null,
      via: null,
      software: null,
      version: null,
      state: 'active',
    });
  });

  test('follows the visit that it rests on, though later ones failed', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsOf('v1'));
    await scratch.visit('a.example', { [CONFIG]: 'connect-refused' });
    await scratch.visit('a.example', { [CONFIG]: html, [DISCOVERY]: status(404) });
    await scratch.run(bareVersions, { apply: true });
    expect(scratch.find('a.example')).toMatchObject({
      state: 'failing',
      failures: 2,
      version: '1',
      verdict: 'unidentified',
    });
    const kept = scratch.reading((reader) => reader.factsOf(domainOf('a.example')));
    expect(kept?.facts.version).toBe('1');
  });

  test('stays where an older visit is read differently that nothing rests on', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsOf('v1'));
    await scratch.visit('a.example', loopsOf('2'));
    const before = scratch.find('a.example');
    const { differences } = await scratch.run(bareVersions, { apply: true });
    expect(differences).toMatchObject([{ field: 'version', from: 'v1', to: '1' }]);
    expect(scratch.find('a.example')).toEqual(before);
    expect(scratch.reading((reader) => reader.factsOf(domainOf('a.example')))?.facts.version).toBe('2');
  });

  test('where an instance points is read anew', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsOf('1'));
    const pointing: Partial<Parsers> = {
      config: (document) => {
        const read = PARSERS.config(document);
        return read === null ? null : { ...read, appUrl: 'https://main.example' };
      },
    };
    const { differences } = await scratch.run(pointing, { apply: true });
    expect(differences.find(({ field }) => field === 'pointsTo')).toMatchObject({
      from: 'server.example',
      to: 'main.example',
    });
    expect(scratch.find('a.example')?.host.canonicalHost).toBe('main.example');
    expect((await scratch.run(pointing)).differences).toEqual([]);
  });
});

describe('is left as it is', () => {
  test('a domain that is being visited, until the next replay', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsOf('v1'));
    scratch.store.requestVisit([domainOf('a.example')], scratch.now());
    const leases = scratch.store.lease(1, scratch.now());
    expect(leases).toHaveLength(1);
    expect((await scratch.run(bareVersions, { apply: true })).report.left).toBe(1);
    expect(scratch.find('a.example')?.version).toBe('v1');
    scratch.store.release(leases);
    expect((await scratch.run(bareVersions, { apply: true })).report.left).toBe(0);
    expect(scratch.find('a.example')?.version).toBe('1');
  });

  test('a domain that opts out while the replay is under way', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsOf('v1'));
    const forget = () => {
      scratch.store.forget([domainOf('a.example')], scratch.now());
    };
    const { report } = await scratch.run(bareVersions, { apply: true, onDifference: forget });
    expect(report.left).toBe(1);
    expect(scratch.find('a.example')).toBeNull();
    expect(scratch.reading((reader) => [...reader.visitsOf(domainOf('a.example'))])).toEqual([]);
  });

  test('a visit whose discovery leads elsewhere today', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', otherOf('1', 'a.example'));
    const before = scratch.find('a.example');
    const elsewhere: Partial<Parsers> = { discovery: () => ({ href: 'https://a.example/nodeinfo/2.1' }) };
    const { report, differences } = await scratch.run(elsewhere, { apply: true });
    expect(differences).toEqual([]);
    expect(report.wouldAskElsewhere).toMatchObject({ count: 1, visits: [{ domain: 'a.example' }] });
    expect(scratch.find('a.example')).toEqual(before);
  });

  test.each([
    ['missing', 'delete from documents where id = :id'],
    ['does not inflate', "update documents set deflated = 1, body = x'0102', bytes = 2 where id = :id"],
    ['does not match its hash', "update documents set deflated = 0, body = x'7b7d', bytes = 2 where id = :id"],
  ])('a visit with a document of which is said: %s', async (problem, sql) => {
    const scratch = await openScratch();
    const { domain } = await scratch.visit('a.example', loopsOf('v1'));
    await scratch.visit('b.example', loopsOf('v2'));
    const [visit] = scratch.reading((reader) => [...reader.visitsOf(domain)]);
    meddle(scratch.path, (sqlite) => {
      sqlite.pragma('foreign_keys = off');
      expect(sqlite.prepare(sql).run({ id: visit?.documents.config }).changes).toBe(1);
    });
    const { report, differences } = await scratch.run(bareVersions, { apply: true });
    expect(report.damaged).toMatchObject({ count: 1, visits: [{ domain, document: 'config', problem }] });
    expect(differences.map(({ domain: changed }) => changed)).toEqual(['b.example']);
  });
});

describe('a long replay', () => {
  async function enterCopies(scratch: Awaited<ReturnType<typeof openScratch>>, count: number): Promise<void> {
    const made = await scratch.visit('first.example', loopsOf('v1'));
    const domains = Array.from({ length: count }, (_, i) => domainOf(`copy${i}.example`));
    scratch.store.enter(domains, made.at);
    const leases = scratch.store.lease(count, made.at, { only: domains });
    scratch.store.record(
      leases.map((lease) => {
        const visit: Visit = { ...made, domain: lease.record.domain as Domain };
        return { lease, visit, after: afterVisit(lease.record, visit, made.at, 0.5, standardPolicy) };
      }),
    );
  }

  test('tells the same whether or not it is applied as it goes', async () => {
    const scratch = await openScratch();
    const clips: Script = { [CONFIG]: json({ ...config, app: { ...config.app, software: 'clips' } }) };
    for (let round = 0; round < 3; round++)
      for (let i = 0; i < 60; i++) await scratch.visit(`h${i}.example`, { ...clips, [DISCOVERY]: status(404) });
    const told = await scratch.run({}, {}, 'clips');
    expect(told.report.byField).toMatchObject({ verdict: 180, pointsTo: 180 });
    const applied = await scratch.run({}, { apply: true }, 'clips');
    expect(applied).toEqual({ ...told, report: { ...told.report, applied: true } });
    expect((await scratch.run({}, {}, 'clips')).differences).toEqual([]);
  });

  test('stops between two visits, and what it recorded by then stays', async () => {
    const scratch = await openScratch();
    await enterCopies(scratch, 500);
    const controller = new AbortController();
    let seen = 0;
    const onDifference = () => {
      if (++seen === 250) controller.abort();
    };
    const { report } = await scratch.run(bareVersions, { apply: true, onDifference, signal: controller.signal });
    expect(report).toMatchObject({ end: 'stopped', differenceCount: 250 });
    const left = await scratch.run(bareVersions);
    expect(left.report).toMatchObject({ end: 'done', differenceCount: 251 });
  });

  test('leaves the event loop to others', async () => {
    const scratch = await openScratch();
    await enterCopies(scratch, 3_000);
    let isOver = false;
    let turns = 0;
    const watch = (async () => {
      for (; !isOver; turns++) await nextTurn();
    })();
    const { report } = await scratch.run(bareVersions);
    isOver = true;
    await watch;
    expect(report.differenceCount).toBe(3_001);
    expect(turns).toBeGreaterThan(10);
  });
});
