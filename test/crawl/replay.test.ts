import { afterEach, describe, expect, test } from 'vitest';
import { type ReplayDifference, type ReplayOptions, replay } from '../../src/crawl/replay.ts';
import { afterVisit } from '../../src/crawl/schedule/after-visit.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
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
import { scratchPath, withSqlite } from '../store/scratch.ts';
import { HOUR_MS, standardPolicy } from './schedule/standard-policy.ts';

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store[Symbol.asyncDispose]();
});

const config = fixture('config-whole') as { app: Record<string, unknown> };
const loopsServer = (version = '1'): Script => ({
  [CONFIG]: json({ ...config, app: { ...config.app, version }, federation: false }),
});
const mastodonServer = (domain: string): Script => ({
  [CONFIG]: status(404),
  ...nodeInfoAt({ version: '2.0', software: { name: 'mastodon', version: '4' } }, domain),
});

async function openScratch() {
  const path = scratchPath();
  const store = await openStore({ path });
  opened.push(store);
  let at = VISITED_AT;
  /**
   * Records a visit as a crawl does, one hour after the previous one.
   *
   * @param earlierResult what an older parser read in the same documents.
   */
  async function visit(name: string, script: Script, earlierResult: Partial<Visit> = {}): Promise<Visit> {
    at += HOUR_MS;
    const domain = domainOf(name);
    const { visit: visited } = await visitScript(script, { domain: name });
    const ended = { ...visited, at, ...earlierResult };
    store.domains.requestVisit([domain], at);
    const [picked] = store.due.pick(1, at, [domain]);
    if (picked === undefined) throw new Error(`${name} could not be picked.`);
    const after = afterVisit(picked.record, ended, at, 0.5, standardPolicy);
    expect(store.visits.record([{ picked, visit: ended, after }])).toEqual([]);
    return ended;
  }
  async function run(options: Partial<ReplayOptions> = {}) {
    const differences: ReplayDifference[] = [];
    using reader = store.reader();
    const { report, domains } = await replay(reader.visits, {
      softwareId: 'loops',
      allowSuffixes: ['example'],
      signal: new AbortController().signal,
      onDifference: (difference) => {
        differences.push(difference);
      },
      ...options,
    });
    return { report, domains, differences };
  }
  return { path, store, visit, run, now: () => at };
}

const hostsOfManyKinds: Record<string, (name: string) => Script> = {
  'a loops server': () => loopsServer(),
  'a loops server with NodeInfo': (name) => ({
    [CONFIG]: json(config),
    ...nodeInfoAt(fixture('nodeinfo-loops'), name),
  }),
  'a loops server without NodeInfo': () => ({ [CONFIG]: json(config), [DISCOVERY]: status(404) }),
  'a server of other software': mastodonServer,
  'NodeInfo on another host': () => ({
    [CONFIG]: html,
    [DISCOVERY]: links('https://node.example/nodeinfo/2.0'),
    'https://node.example/nodeinfo/2.0': json(fixture('nodeinfo-loops')),
  }),
  'a redirected config': (name) => ({
    [CONFIG]: redirect('https://main.example/api/v1/config'),
    ...nodeInfoAt(fixture('nodeinfo-loops'), name),
  }),
  'a web app': () => ({ [CONFIG]: html, [DISCOVERY]: html }),
  'no 2.0 link': () => ({ [CONFIG]: status(404), [DISCOVERY]: json({ links: [] }) }),
  'a dead link': (name) => ({
    [CONFIG]: status(404),
    [DISCOVERY]: links(`https://${name}/gone`),
    '/gone': status(404),
  }),
  'an alias': () => ({ [CONFIG]: redirect('https://b.example/'), [DISCOVERY]: redirect('https://b.example/') }),
  'a refused connection': () => ({ [CONFIG]: 'connect-refused' }),
  'a failing robots.txt': () => ({ '/robots.txt': status(503) }),
};

test.each(Object.entries(hostsOfManyKinds))(
  'finds no difference in the documents that it reads as before: %s',
  async (_, script) => {
    const scratch = await openScratch();
    await scratch.visit('a.example', script('a.example'));
    await scratch.visit('a.example', script('a.example'));
    const { report, differences, domains } = await scratch.run();
    expect([differences, domains]).toEqual([[], []]);
    expect(report).toMatchObject({ end: 'done', changedVisits: 0, byField: {}, differenceCount: 0 });
    expect([report.wouldAskElsewhere.count, report.damaged.count]).toEqual([0, 0]);
    withSqlite(scratch.path, (sqlite) => sqlite.exec('delete from visit_steps'));
    const withoutSteps = await scratch.run();
    expect(withoutSteps).toEqual({ report, differences, domains });
  },
);

describe('a replay reports', () => {
  test('a verdict that would change, with everything that follows from it', async () => {
    const scratch = await openScratch();
    const visit = await scratch.visit('a.example', mastodonServer('a.example'), {
      verdict: 'unidentified',
      reason: 'nodeinfo-no-software',
      via: null,
      software: null,
      version: null,
    });
    await scratch.visit('b.example', mastodonServer('b.example'));
    const { report, differences, domains } = await scratch.run();
    const ref = { domain: 'a.example', visitId: 1, at: visit.at };
    expect(differences).toEqual([
      { ...ref, field: 'verdict', from: 'unidentified', to: 'other' },
      { ...ref, field: 'reason', from: 'nodeinfo-no-software', to: 'nodeinfo-software' },
      { ...ref, field: 'via', from: null, to: 'nodeinfo' },
      { ...ref, field: 'software', from: null, to: 'mastodon' },
      { ...ref, field: 'version', from: null, to: '4' },
    ]);
    expect(report).toMatchObject({ visits: 2, changedVisits: 1, differenceCount: 5 });
    expect(report.byField).toEqual({ verdict: 1, reason: 1, via: 1, software: 1, version: 1 });
    expect(domains).toEqual(['a.example']);
  });

  test('a verdict that another software id changes, and the facts as a whole', async () => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer());
    const { differences } = await scratch.run({ softwareId: 'reels' });
    expect(differences.map(({ field, to }) => [field, to])).toEqual([
      ['verdict', 'other'],
      ['pointsTo', null],
      ['facts', null],
    ]);
  });

  test('each fact that would change, in the visits that differ only', async () => {
    const scratch = await openScratch();
    const { facts } = await scratch.visit('a.example', loopsServer('2'));
    if (facts === null) throw new Error('no facts');
    const limits = { ...facts.limits, maxBioLength: null };
    await scratch.visit('a.example', loopsServer('2'), { facts: { ...facts, name: 'Old', limits } });
    await scratch.visit('a.example', loopsServer('2'));
    const { differences, report } = await scratch.run();
    expect(differences).toMatchObject([
      { visitId: 2, field: 'name', from: 'Old', to: facts.name },
      { visitId: 2, field: 'limits.maxBioLength', from: null, to: facts.limits.maxBioLength },
    ]);
    expect(report.changedVisits).toBe(1);
  });

  test('the canonical host that config names', async () => {
    const scratch = await openScratch();
    const { host } = await scratch.visit('a.example', loopsServer());
    await scratch.visit('a.example', loopsServer(), { host: { ...host, canonicalHost: null } });
    const { differences } = await scratch.run();
    expect(differences).toMatchObject([{ visitId: 2, field: 'pointsTo', from: null, to: host.canonicalHost }]);
  });

  test.each<[string, Script, Partial<Visit>]>([
    [
      'because discovery leads to another URL',
      { ...mastodonServer('a.example') },
      {
        steps: [{ probe: 'nodeinfo', url: 'https://a.example/old', status: 200, ms: 1, bytes: 1, failure: null }],
      },
    ],
    [
      'because config no longer decides',
      { [CONFIG]: json({ app: {} }), [DISCOVERY]: status(404) },
      {
        verdict: 'other',
        reason: 'config-software',
        via: 'config',
        software: 'clips',
      },
    ],
  ])('a visit whose result is unknown %s, and its domain', async (_, script, earlierResult) => {
    const scratch = await openScratch();
    await scratch.visit('a.example', script, earlierResult);
    const { report, differences, domains } = await scratch.run();
    expect(differences).toEqual([]);
    expect(report.wouldAskElsewhere).toMatchObject({ count: 1, visits: [{ domain: 'a.example' }] });
    expect(domains).toEqual(['a.example']);
  });

  test.each([
    ['missing', 'delete from documents where id = :id'],
    ['that does not inflate', "update documents set deflated = 1, body = x'0102', bytes = 2 where id = :id"],
    ['that does not match its hash', "update documents set deflated = 0, body = x'7b7d', bytes = 2 where id = :id"],
  ])('a stored document %s, and reads the others', async (_, sql) => {
    const scratch = await openScratch();
    await scratch.visit('a.example', loopsServer('1'));
    await scratch.visit('b.example', loopsServer('2'), { version: 'v2' });
    using reader = scratch.store.reader();
    const [visit] = reader.visits.of(domainOf('a.example'));
    withSqlite(scratch.path, (sqlite) => {
      sqlite.pragma('foreign_keys = off');
      expect(sqlite.prepare(sql).run({ id: visit?.documents.config }).changes).toBe(1);
    });
    const { report, differences } = await scratch.run();
    expect(report.damaged).toMatchObject({ count: 1, visits: [{ domain: 'a.example', document: 'config' }] });
    expect(differences.map(({ domain }) => domain)).toEqual(['b.example']);
  });
});

test('a replay stops between two domains', async () => {
  const scratch = await openScratch();
  for (const name of ['a.example', 'b.example', 'c.example'])
    await scratch.visit(name, loopsServer('1'), { version: 'v1' });
  const controller = new AbortController();
  const { report, domains } = await scratch.run({ signal: controller.signal, onDifference: () => controller.abort() });
  expect(report).toMatchObject({ end: 'stopped', visits: 1, differenceCount: 1 });
  expect(domains).toEqual(['a.example']);
});
