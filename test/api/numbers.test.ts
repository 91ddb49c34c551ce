import { expect, test } from 'vitest';
import { stats } from '../../src/export/datasets/stats.ts';
import type { Store } from '../../src/store/store.ts';
import { sourceOf } from '../../src/views/export-source.ts';
import type { InstanceEntry } from '../../src/views/schema/instance-entry.ts';
import { DomainTally, InstanceTally } from '../../src/views/tallies.ts';
import { loopsVisit } from '../store/sample-visit.ts';
import { factsOf, fillStore, nameOf, START, visitOnce } from './fill-store.ts';
import { openApi } from './open-api.ts';

const noTallies = {
  domains: new DomainTally(),
  instances: new InstanceTally(),
  noindex: new Set<string>(),
  optedOut: new Set<string>(),
  lastVisit: null,
};

async function open() {
  const { get } = await openApi((store) => fillStore(store, 40));
  const json = async (path: string) => (await get(`/api/v1/${path}`)).json();
  const { instances }: { instances: InstanceEntry[] } = await json('instances?limit=500');
  return { json, instances };
}

test('stats count yes, no and unknown for each boolean fact, and reporting instances for each limit, like the list', async () => {
  const { json, instances } = await open();
  const stats = await json('stats');
  const answersOf = (read: (entry: InstanceEntry) => boolean | null) => {
    const count = (wanted: boolean | null) => instances.filter((entry) => read(entry) === wanted).length;
    return { yes: count(true), no: count(false), unknown: count(null) };
  };
  const { yes, no, unknown } = stats.registrationOpen;
  for (const count of [yes, no, unknown]) expect(count).toBeGreaterThan(0);
  expect(stats.registrationOpen).toEqual(answersOf(({ registration }) => registration.open));
  expect(stats.federation).toEqual(answersOf(({ federation }) => federation));
  for (const name of ['forYouFeed', 'pushNotifications', 'starterKits', 'atomFeeds', 'gifProvider'] as const) {
    expect(stats.features[name], name).toEqual(answersOf(({ features }) => features[name]));
  }
  for (const name of ['maxVideoSizeMB', 'maxVideoDurationSeconds', 'maxBioLength'] as const) {
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

test('an implausible number of users changes no total, and is counted as implausible', async () => {
  const honest = await open();
  const { get } = await openApi((store) => {
    fillStore(store, 40);
    const facts = factsOf(42, START);
    const { version } = facts;
    const lie = { ...facts, usage: { ...facts.usage, users: 9_000_000_000_000_000 } };
    visitOnce(store, nameOf(42), START, loopsVisit(nameOf(42), START, { version, facts: lie }));
  });
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

/** Records a run of a source that lists these instances. */
function recordRun(store: Store, key: string, numbers: readonly number[]): void {
  const run = store.beginRun({ key, type: key.startsWith('crawled') ? 'crawled' : 'file', label: key }, START);
  if (run === null) throw new Error('another process runs the source');
  const candidates = numbers.map((number) => ({ domain: nameOf(number), software: null }));
  store.enterFrom(run, candidates, START, { most: 0, mostPerRegistrable: 0, mostPortsPerHost: 0, softwareId: 'loops' });
  const nothing = { why: null, etag: null, lastModified: null, requests: 0, bytes: 0, refusedByReason: {} };
  store.endRun(run, { outcome: 'complete', ...nothing, lines: numbers.length, refused: 0, merged: 0 }, START);
}
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('stats estimate the number of instances from the overlap of sources, like stats.json', async () => {
  const fill = (store: Store) => {
    fillStore(store, 40);
    recordRun(store, 'one', from(0, 19));
    recordRun(store, 'two', from(10, 29));
    recordRun(store, 'crawled', from(0, 39));
    // Unlisted domains do not count.
    recordRun(store, 'three', from(100, 120));
  };
  const { get, store } = await openApi(fill);
  const { population } = (await get('/api/v1/stats')).json();
  expect(population).toMatchObject({
    ...{ known: 40, atLeast: 40, sources: 2 },
    listedBy: { none: 10, one: 20, two: 10, more: 0 },
    overlap: [{ first: 'file-1', second: 'file-2', firstLists: 20, secondLists: 20, both: 10 }],
    words: '40 known of at least 40 (lower end of the 95 % interval), by the overlap of 2 sources.',
  });
  using reader = store.reader({ snapshot: true });
  const text = [
    ...stats.chunks(sourceOf(reader, { at: START, visitsKeptSince: 0 }), noTallies, { at: START, contact: '' }),
  ];
  const file = JSON.parse(text.map((chunk) => (typeof chunk === 'string' ? chunk : '')).join(''));
  expect(file.population).toEqual(population);
});

test('without sources the number of instances is unknown, and /stats gives the reason', async () => {
  const { json } = await open();
  expect((await json('stats')).population).toMatchObject({
    ...{ known: 40, atLeast: null, sources: 0, overlap: [] },
    words: '40 known; an estimate of how many there are needs at least two sources that list any of them.',
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
