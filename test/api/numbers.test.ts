import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statsRowsOf } from '../../src/directory/history/stats-rows.ts';
import type { InstanceEntry } from '../../src/directory/schema/instance-entry.ts';
import type { StatsFile } from '../../src/directory/schema/stats-file.ts';
import { Measure, type StatsRow } from '../../src/directory/schema/stats-row.ts';
import { statsText } from '../../src/export/datasets/stats.ts';
import { exportAll } from '../../src/export/export-all.ts';
import { FEATURES, LIMITS } from '../../src/model/facts/fact-leaves.ts';
import type { Store } from '../../src/store/store.ts';
import { newFolder } from '../export/export-folder.ts';
import { readCsv } from '../export/read-back.ts';
import { loopsVisit } from '../store/sample-visit.ts';
import { factsOf, fillStore, nameOf, START, visitOnce } from './fill-store.ts';
import { openApi } from './open-api.ts';

async function open() {
  const { get } = await openApi((store) => fillStore(store, 40));
  const json = async (path: string) => (await get(`/api/v1/${path}`)).json();
  const { instances }: { instances: InstanceEntry[] } = await json('instances?limit=500');
  return { json, instances };
}

test('stats count the instances of the list by each boolean fact (yes, no, unknown), and for each limit those that report it', async () => {
  const { json, instances } = await open();
  const stats = await json('stats');
  const countsOf = (read: (entry: InstanceEntry) => boolean | null) => {
    const count = (wanted: boolean | null) => instances.filter((entry) => read(entry) === wanted).length;
    return { yes: count(true), no: count(false), unknown: count(null) };
  };
  const { yes, no, unknown } = stats.registrationOpen;
  for (const count of [yes, no, unknown]) expect(count).toBeGreaterThan(0);
  expect(stats.registrationOpen).toEqual(countsOf(({ registration }) => registration.open));
  expect(stats.federation).toEqual(countsOf(({ federation }) => federation));
  for (const { key } of FEATURES) {
    const name = key as keyof InstanceEntry['features'];
    expect(stats.features[name], name).toEqual(countsOf(({ features }) => features[name]));
  }
  for (const { key } of LIMITS) {
    const name = key as Exclude<keyof InstanceEntry['limits'], 'videoFormats'>;
    const reported = instances.flatMap(({ limits }) => limits[name] ?? []).sort((one, other) => one - other);
    const [least, most] = [reported[0] ?? null, reported.at(-1) ?? null];
    expect(stats.limits[name], name).toMatchObject({ reporting: reported.length, least, most });
    const below = reported.filter((value) => value < stats.limits[name].median).length;
    const above = reported.filter((value) => value > stats.limits[name].median).length;
    expect(Math.max(below, above), name).toBeLessThanOrEqual(reported.length / 2);
  }
  expect(stats.limits.maxVideoSizeMB.reporting).toBeLessThan(instances.length);
  expect(stats.instances).toMatchObject({ instances: 40, up: 37, down: 3 });
  const users = instances.flatMap(({ usage }) => usage.users ?? []);
  expect(stats.instances.users).toEqual({
    total: users.reduce((sum, one) => sum + one, 0),
    reporting: users.length,
    implausible: 0,
  });
});

test('stats count the instances of the list by country, network and content network', async () => {
  const { json, instances } = await open();
  const { hosting } = await json('stats');
  for (const key of ['country', 'network', 'behind'] as const) {
    const known = instances.flatMap((entry) => entry.hosting[key] ?? []);
    expect(known.length).toBeGreaterThan(0);
    const counts = Map.groupBy(known, (name) => name);
    const rows = [...counts].map(([name, { length }]) => ({ name, instances: length }));
    expect(hosting[key]).toEqual({ commonest: expect.arrayContaining(rows), others: 0, reporting: known.length });
    expect(hosting[key].commonest).toHaveLength(rows.length);
    const [largest] = rows.sort((one, other) => other.instances - one.instances);
    expect(hosting[key].commonest[0].instances).toBe(largest?.instances);
  }
});

/** 40 honest instances, and one that reports an implausible number of users. */
function fillWithLiar(store: Store): void {
  fillStore(store, 40);
  const facts = factsOf(42, START);
  const { version } = facts;
  const lyingFacts = { ...facts, usage: { ...facts.usage, users: 9_000_000_000_000_000 } };
  visitOnce(store, nameOf(42), START, loopsVisit(nameOf(42), START, { version, facts: lyingFacts }));
}

test('an implausible number of users changes no total, and is counted as implausible', async () => {
  const honest = await open();
  const { get } = await openApi(fillWithLiar);
  const json = async (path: string) => (await get(`/api/v1/${path}`)).json();
  const { users, posts } = (await json('stats')).instances;
  const before = (await honest.json('stats')).instances;
  expect(users).toEqual({ ...before.users, implausible: 1 });
  expect(posts).toEqual({ ...before.posts, implausible: 1 });
  const usersOf = async (read: typeof json) =>
    (await read('versions')).versions.map((row: { version: string; users: number }) => [row.version, row.users]);
  expect(await usersOf(json)).toEqual(await usersOf(honest.json));
  const { versions } = await json('versions');
  expect(versions.map(({ implausible }: { implausible: number }) => implausible).sort()).toEqual([0, 0, 0, 0, 0, 1]);
  expect((await json(`instances/${nameOf(42)}`)).flags).toContain('counts-absurd');
});

test('implausible counts are sorted like unknown ones, match no minimum, and stay in the list', async () => {
  const { get } = await openApi(fillWithLiar);
  const namesOf = async (query: string) =>
    (await get(`/api/v1/instances?${query}`)).json().instances.map(({ domain }: InstanceEntry) => domain);
  // Every fifth instance reports no number of users; 42 reports an implausible one.
  const unknown = [...Array.from({ length: 8 }, (_, index) => nameOf(index * 5)), nameOf(42)];
  for (const sort of ['users', '-users']) {
    expect((await namesOf(`limit=500&sort=${sort}`)).slice(-9)).toEqual(unknown);
    const { next } = (await get(`/api/v1/instances?limit=39&sort=${sort}`)).json();
    expect(await namesOf(`limit=39&sort=${sort}&cursor=${next}`)).toEqual(unknown.slice(-2));
  }
  expect(await namesOf('users.min=110')).toEqual([nameOf(37), nameOf(38), nameOf(39)]);
  expect(await namesOf('users.min=0&limit=500')).not.toContain(nameOf(42));
  expect((await get(`/api/v1/instances/${nameOf(42)}`)).json().usage.users).toBe(9_000_000_000_000_000);
});

/** Every point of the history of the statistics, over all pages. */
async function pointsOf(get: Awaited<ReturnType<typeof openApi>>['get'], query: string): Promise<StatsRow[]> {
  const points: StatsRow[] = [];
  for (let cursor = ''; ; ) {
    const page = (await get(`/api/v1/stats/history?${query}${cursor}`)).json();
    points.push(...page.points);
    if (page.next === null) return points;
    cursor = `&cursor=${page.next}`;
  }
}

test('the history of the statistics has the rows of stats.csv and the numbers of stats.json', async () => {
  const { get, store } = await openApi(fillWithLiar);
  const points = await pointsOf(get, 'limit=7');
  using reader = store.reader({ snapshot: true });
  const dir = await newFolder();
  const at = START + 86_400_000;
  await exportAll({
    source: reader,
    dir,
    now: () => at,
    toolVersion: '1.0.0',
  });
  const text = (value: string | number | null) => (value === null ? null : String(value));
  expect(points.map((point) => Object.values(point).map(text))).toEqual(
    (await readCsv(dir, 'stats.csv')).map((row) => Object.values(row)),
  );
  const file: StatsFile = JSON.parse(await readFile(join(dir, 'stats.json'), 'utf8'));
  expect(points).toEqual(file.points.flatMap(statsRowsOf));
  const { instances, usage } = file.points.at(-1) ?? expect.unreachable();
  expect([file.points.length, instances, usage.users.implausible]).toEqual([2, 41, 1]);
  const last = { date: '2026-01-02', measure: 'usage.users', reporting: usage.users.reporting, total: 41 };
  expect(await pointsOf(get, 'measure=usage.users&from=2026-01-02')).toEqual([
    { ...last, key: 'implausible', value: 1 },
    { ...last, key: 'total', value: usage.users.total },
  ]);
});

test('the history of the statistics can be filtered by measure, key and day', async () => {
  const { get } = await openApi((store) => fillStore(store, 40));
  const all = await pointsOf(get, '');
  expect(new Set(all.map(({ measure }) => measure))).toEqual(new Set(Measure.options));
  for (const [query, matches] of [
    ['measure=version,status', ({ measure }) => measure === 'version' || measure === 'status'],
    ['key=1.0.0', ({ key }) => key === '1.0.0'],
    ['measure=federation&key=no', ({ measure, key }) => measure === 'federation' && key === 'no'],
    ['to=2026-01-01', ({ date }) => date === '2026-01-01'],
    ['from=2026-01-02&to=2026-01-02&limit=9', ({ date }) => date === '2026-01-02'],
    ['from=2026-01-03', () => false],
  ] satisfies [string, (row: StatsRow) => boolean][]) {
    expect(await pointsOf(get, query), query).toEqual(all.filter(matches));
  }
  for (const query of ['from=2026-02-30', 'to=today', 'measure=name', 'limit=5001', 'cursor=x']) {
    expect((await get(`/api/v1/stats/history?${query}`)).status, query).toBe(400);
  }
  const { headers } = await get('/api/v1/stats/history');
  expect((await get('/api/v1/stats/history', { 'if-none-match': String(headers.etag) })).status).toBe(304);
});

/** Records a run of a source that lists these instances. */
function recordRun(store: Store, key: string, numbers: readonly number[]): void {
  const run = store.sources.beginRun({ key, type: key.startsWith('crawled') ? 'crawled' : 'file', label: key }, START);
  if (run === null) throw new Error('another process runs the source');
  const candidates = numbers.map((number) => ({ domain: nameOf(number), software: null }));
  store.sources.enterFrom(run, candidates, START, {
    most: 0,
    mostPerRegistrable: 0,
    mostPortsPerHost: 0,
    softwareId: 'loops',
  });
  const nothing = { why: null, etag: null, lastModified: null, requests: 0, bytes: 0, refusedByReason: {} };
  store.sources.endRun(run, { outcome: 'complete', ...nothing, lines: numbers.length, refused: 0, merged: 0 }, START);
}
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('stats estimate the number of instances from the overlap of sources, like stats.json', async () => {
  const fill = (store: Store) => {
    fillStore(store, 40);
    recordRun(store, 'one', range(0, 19));
    recordRun(store, 'two', range(10, 29));
    recordRun(store, 'crawled', range(0, 39));
    // Unlisted domains do not count.
    recordRun(store, 'three', range(100, 120));
  };
  const { get, store } = await openApi(fill);
  const { population } = (await get('/api/v1/stats')).json();
  expect(population).toMatchObject({
    ...{ known: 40, atLeast: 40, sources: 2 },
    listedBy: { none: 10, one: 20, two: 10, more: 0 },
    overlap: [{ first: 'one', second: 'two', firstLists: 20, secondLists: 20, both: 10 }],
    words: '40 known of at least 40 (lower end of the 95 % interval), by the overlap of 2 sources.',
  });
  using reader = store.reader({ snapshot: true });
  const file = JSON.parse([...statsText(reader, [])].filter((chunk) => typeof chunk === 'string').join(''));
  expect(file.population).toEqual(population);
});

test('without sources the number of instances is unknown, and /stats gives the reason', async () => {
  const { json } = await open();
  expect((await json('stats')).population).toMatchObject({
    ...{ known: 40, atLeast: null, sources: 0, overlap: [] },
    words: '40 known; estimating the total requires at least two sources that list known servers.',
  });
});

test('versions are listed newest first with their users, and software with its domains', async () => {
  const { json, instances } = await open();
  const { versions, distinct, unknown } = await json('versions');
  expect(versions.map(({ version }: { version: string }) => version)).toEqual([
    ...['2.0.0', '1.2.0', '1.0.0', '1.0.0-beta.14', '1.0.0-beta.9', 'nightly'],
  ]);
  for (const row of versions) {
    const ofVersion = instances.filter(({ version }) => version === row.version);
    const users = ofVersion.reduce((sum, { usage }) => sum + (usage.users ?? 0), 0);
    expect(row).toMatchObject({ instances: ofVersion.length, users });
  }
  expect([distinct, unknown]).toEqual([6, instances.filter(({ version }) => version === null).length]);
  const generatedAt = new Date(START + 86_400_000).toISOString();
  expect(await json('software')).toEqual({
    generatedAt,
    software: [{ name: 'loops', domains: 40 }],
    others: 0,
    unknown: 0,
  });
});
