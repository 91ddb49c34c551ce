import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { afterAdded } from '../../src/crawl/schedule/after-added.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { InstanceFlag } from '../../src/model/facts/instance-facts.ts';
import type { PickedDomain } from '../../src/store/domains/pick-domains.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import {
  hour,
  loopsVisit,
  recordedVisit,
  sampleDomains,
  sampleFacts,
  sampleFactsAt,
  unreachableVisit,
} from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const domain = storedDomain('loops.example.org');

function pickOne(store: Store, at: number): PickedDomain {
  const [picked] = store.due.pick(1, at);
  if (!picked) throw new Error('nothing is due');
  return picked;
}

test('a visit is read with the same steps, facts and documents as recorded', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  const documents = {
    config: bytes('{"app":1}'),
    discovery: bytes('{"links":[]}'),
    nodeinfo: bytes('x'.repeat(5_000)),
  };
  const visit = loopsVisit(domain, 1_000, { documents, retryAfterMs: 60_000 });
  const result = recordedVisit(pickOne(store, 1_000), 1_000, visit);
  expect(store.visits.record([result])).toEqual([]);

  using reader = store.reader();
  const [stored] = [...reader.visits.of(domain)];
  if (!stored) throw new Error('no visit was stored');
  const {
    host: { canonicalHost },
    robots: _robots,
    retryAfterMs: _retryAfterMs,
    ...expected
  } = visit;
  expect({ ...stored, documents: null }).toEqual({ ...expected, canonicalHost, id: 1, documents: null });
  for (const kind of ['config', 'discovery', 'nodeinfo'] as const) {
    const document = reader.visits.document(stored.documents[kind] ?? -1);
    expect(document?.body).toEqual(documents[kind]);
    expect(document?.sha256).toBe(createHash('sha256').update(documents[kind]).digest('hex'));
  }
  expect(reader.domains.find(domain)).toEqual(result.after);
  const [instance] = [...reader.instances.listed(1_000)];
  expect(instance).toMatchObject({ ...result.after, facts: visit.facts, checkedAt: 1_000 });
});

test('a visit is repeated whose domain a user added meanwhile, so that its cleared failures stay cleared', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  for (const at of [2, 3]) {
    store.domains.requestVisit([domain], at);
    store.visits.record([recordedVisit(pickOne(store, at), at, unreachableVisit(domain, at))]);
  }
  store.domains.requestVisit([domain], 4);
  const result = recordedVisit(pickOne(store, 4), 4, unreachableVisit(domain, 4));
  store.domains.reactivate([domain], 5, (before) => afterAdded(before, 5, 'a user requested a visit'));
  expect(store.visits.record([result])).toEqual([result]);
  using reader = store.reader();
  expect(reader.domains.find(domain)).toMatchObject({ failures: 0, lastVisit: 3, nextVisit: 4 });
  store.visits.record([recordedVisit(pickOne(store, 6), 6, loopsVisit(domain, 6))]);
  expect(reader.domains.find(domain)).toMatchObject({ state: 'active', lastVisit: 6 });
});

test('a visit without facts and documents is read without them', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  const visit = unreachableVisit(domain, 5);
  store.visits.record([recordedVisit(pickOne(store, 5), 5, visit)]);
  using reader = store.reader();
  const {
    host: { canonicalHost },
    robots: _robots,
    retryAfterMs: _retryAfterMs,
    ...expected
  } = visit;
  expect([...reader.visits.of(domain)]).toEqual([{ ...expected, canonicalHost, id: 1 }]);
});

test('the last robots.txt is stored, and remains after visits that read none', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  expect(store.visits.cachedRobots(1)).toBeNull();
  const robots = { readAt: 5, body: Buffer.from('User-agent: *') };
  store.visits.record([recordedVisit(pickOne(store, 5), 5, loopsVisit(domain, 5, { robots }))]);
  store.visits.record([recordedVisit(pickOne(store, 9 * hour), 9 * hour, unreachableVisit(domain, 9 * hour))]);
  expect(store.visits.cachedRobots(1)).toEqual(robots);
  const none = { readAt: 99 * hour, body: null };
  store.visits.record([
    recordedVisit(pickOne(store, 99 * hour), 99 * hour, loopsVisit(domain, 99 * hour, { robots: none })),
  ]);
  expect(store.visits.cachedRobots(1)).toEqual(none);
});

test('a failing instance stays listed with its last good facts', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  store.visits.record([recordedVisit(pickOne(store, 1), 1)]);
  const later = 1 + 6 * hour;
  store.visits.record([recordedVisit(pickOne(store, later), later, unreachableVisit(domain, later))]);
  using reader = store.reader();
  expect([...reader.instances.listed(later)]).toMatchObject([
    { state: 'failing', facts: sampleFactsAt(1), checkedAt: 1 },
  ]);
});

test('a visit without counts keeps the former counts with their time', async () => {
  await using store = await openStore({ path: scratchPath() });
  const unknown = { users: null, activeMonth: null, activeHalfyear: null, posts: null, asOf: null };
  const counted = { users: 12, activeMonth: 3, activeHalfyear: 5, posts: 40, asOf: new Date(2_000).toISOString() };
  for (const [at, usage] of [
    [1_000, unknown],
    [2_000, counted],
    [3_000, unknown],
  ] as const) {
    store.domains.requestVisit([domain], at);
    const flags: InstanceFlag[] = usage === unknown ? ['nodeinfo-unavailable'] : [];
    const facts = { ...sampleFacts, name: `at ${at}`, usage, flags };
    store.visits.record([recordedVisit(pickOne(store, at), at, loopsVisit(domain, at, { facts }))]);
    using reader = store.reader();
    const expectedUsage = at === 1_000 ? unknown : counted;
    expect([...reader.instances.listed(at)]).toMatchObject([{ facts: { name: `at ${at}`, usage: expectedUsage } }]);
  }
});

test('newer facts replace older ones, and each visit keeps its own', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  store.visits.record([recordedVisit(pickOne(store, 1), 1)]);
  const later = 1 + 6 * hour;
  const facts = { ...sampleFactsAt(later), name: 'Renamed' };
  store.visits.record([recordedVisit(pickOne(store, later), later, loopsVisit(domain, later, { facts }))]);
  using reader = store.reader();
  expect([...reader.instances.listed(later)]).toMatchObject([{ facts, checkedAt: later }]);
  expect([...reader.visits.of(domain)].map((visit) => [visit.at, visit.facts?.name])).toEqual([
    [later, 'Renamed'],
    [1, 'Sample Loops'],
  ]);
});

test('identical documents are stored once, and compressed if that makes them smaller', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(20);
  store.domains.enter(domains, 1);
  const page = bytes('<!doctype html><title>a web app</title>'.repeat(500));
  const visits = store.due
    .pick(20, 1)
    .map((picked) =>
      recordedVisit(picked, 1, loopsVisit(picked.record.domain, 1, { documents: { config: page, nodeinfo: page } })),
    );
  store.visits.record(visits);
  const documents = withSqlite(path, (sqlite) =>
    sqlite
      .prepare<[], { bytes: number; deflated: number; storedBytes: number }>(
        'select bytes, deflated, length(body) as storedBytes from documents',
      )
      .all(),
  );
  expect(documents).toEqual([{ bytes: page.length, deflated: 1, storedBytes: expect.any(Number) }]);
  expect(documents[0]?.storedBytes).toBeLessThan(page.length / 10);
});

test('an empty document is stored', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  store.visits.record([
    recordedVisit(pickOne(store, 1), 1, loopsVisit(domain, 1, { documents: { config: new Uint8Array() } })),
  ]);
  using reader = store.reader();
  const [visit] = [...reader.visits.of(domain)];
  expect(reader.visits.document(visit?.documents.config ?? -1)?.body).toEqual(new Uint8Array());
});

test('recording a visit gives its domain back, so it cannot be recorded again', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([domain], 1);
  const result = recordedVisit(pickOne(store, 1), 1);
  expect(store.visits.record([result, result])).toEqual([result]);
  expect(store.visits.record([result])).toEqual([result]);
  using reader = store.reader();
  expect(reader.visits.lastId()).toBe(1);
});

test('a failed batch records nothing', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter(sampleDomains(2), 1);
  const [good, bad] = store.due.pick(2, 1).map((picked) => recordedVisit(picked, 1));
  if (!good || !bad) throw new Error('two domains are needed');
  const broken = { ...bad, visit: { ...bad.visit, at: null as unknown as number } };
  expect(() => store.visits.record([good, broken])).toThrowError(/NOT NULL/);
  using reader = store.reader();
  expect(reader.visits.lastId()).toBe(0);
  expect(store.visits.record([good, bad])).toEqual([]);
});

test('an empty batch changes nothing', async () => {
  await using store = await openStore({ path: scratchPath() });
  expect(store.visits.record([])).toEqual([]);
});

test.each(['documents', 'fact_sets'])('references to a row of %s are found by index', async (table) => {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  const columns = withSqlite(path, (sqlite) =>
    sqlite
      .prepare<[string], { referencing: string; column: string }>(
        `select tables.name as referencing, keys."from" as "column" from pragma_table_list as tables,
          pragma_foreign_key_list(tables.name) as keys where keys."table" = ?`,
      )
      .all(table),
  );
  expect(columns.length).toBeGreaterThan(1);
  withSqlite(path, (sqlite) => {
    for (const { referencing, column } of columns) {
      const plan = sqlite.prepare<[], { detail: string }>(
        `explain query plan select 1 from ${referencing} where ${column} = 1`,
      );
      expect(plan.get()?.detail).toMatch(/^SEARCH /);
    }
  });
});

test('facts stored before a fact was added are read with that fact unknown', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([domain], 1);
  store.visits.record([recordedVisit(pickOne(store, 1_000), 1_000, loopsVisit(domain, 1_000))]);
  const withoutBioLength = `update fact_sets set facts = json_remove(facts, '$.limits.maxBioLength')`;
  expect(withSqlite(path, (sqlite) => sqlite.prepare(withoutBioLength).run().changes)).toBe(1);

  using reader = store.reader();
  const facts = sampleFactsAt(1_000);
  expect(reader.instances.factsOf(domain)?.facts).toEqual({
    ...facts,
    limits: { ...facts.limits, maxBioLength: null },
  });
  expect([...reader.instances.listed(1_000)]).toHaveLength(1);
  expect([...reader.visits.of(domain)]).toHaveLength(1);
});
