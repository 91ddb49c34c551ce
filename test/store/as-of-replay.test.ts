import { expect, test } from 'vitest';
import { domainLineOf } from '../../src/export/datasets/domains.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Correction, Store } from '../../src/store/store.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { replayRules } from './replay-rules.ts';
import { hour, loopsVisit, recordedVisit, sampleFactsAt, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const domain = storedDomain('loops.example.org');
const start = Date.UTC(2026, 0, 1);

/** The whole content of a reader: domains, instances and their history. */
const readState = (reader: StoreReader, at: number) => ({
  domains: [...reader.domains()].map((record) => domainLineOf(record, reader.mustBeRedacted)),
  instances: [...reader.instances(at)].map(({ domain, facts, readAt, checkedAt, uptime }) => ({
    domain,
    facts,
    readAt,
    checkedAt,
    uptime,
  })),
  visits: reader.visitMonths().flatMap((month) => [...reader.visits(month)]),
  usage: reader.usageMonths().flatMap((month) => [...reader.usage(month)]),
  changes: [...reader.changes()],
});

/** A store with three visits to `domain`, seven hours apart: two find Loops, the third is unanswered. */
async function visitedStore(path: string): Promise<{ store: Store; clock: { at: number } }> {
  const clock = { at: start };
  const store = await openStore({ path, now: () => clock.at });
  store.enter([domain], start);
  for (const [index, visit] of [loopsVisit, loopsVisit, unreachableVisit].entries()) {
    clock.at = start + index * 7 * hour;
    const [lease] = store.lease(1, clock.at);
    if (lease === undefined) throw new Error('nothing is due');
    store.record([recordedVisit(lease, clock.at, visit(domain, clock.at))]);
  }
  return { store, clock };
}

const readNow = (store: Store, at: number) => {
  using reader = store.reader({ snapshot: true });
  return readState(reader, at);
};
const readAsOf = (path: string, at: number) => {
  using reader = openReader(path, { busyTimeoutMs: 50, asOf: { at } });
  return readState(reader, at);
};

/** Corrects the facts of a visit of {@link visitedStore} to this version and name, and to 5 users. Visit ids start at 1. */
const correctionOf = (visitId: number, version: string, name: string): Correction => {
  const { verdict, reason, via, software, aliasOf, at } = loopsVisit(domain, start + (visitId - 1) * 7 * hour);
  const facts = { ...sampleFactsAt(at), version, name, usage: { ...sampleFactsAt(at).usage, users: 5 } };
  const visit = { verdict, reason, via, software, version, aliasOf, canonicalHost: null, facts };
  return { visitId, visit, replaced: { version: '1.0.0-beta.14' } };
};

test('after a replay, past states from before the replay show the corrected values too, from the time of the visit on', async () => {
  const path = scratchPath();
  const { store, clock } = await visitedStore(path);
  await using _store = store;
  const now = start + 16 * hour;
  const versionAt = (at: number) => {
    const { instances, usage, visits, changes } = readAsOf(path, at);
    return {
      version: instances[0]?.facts.version,
      name: instances[0]?.facts.name,
      users: usage.at(-1)?.users,
      visits: visits.map(({ version }) => version),
      changes: changes.filter(({ field }) => field === 'version').map(({ from, to }) => [from, to]),
    };
  };
  const first = { version: '1.0.0-beta.14', name: 'Sample Loops', users: 1234, visits: ['1.0.0-beta.14'], changes: [] };
  expect(versionAt(start + hour)).toEqual(first);

  clock.at = now;
  expect(store.correct(domain, [correctionOf(2, '2.0.0', 'New')], now, replayRules(now))).toBe(true);
  expect(versionAt(start + hour)).toEqual(first);
  const corrected = { version: '2.0.0', name: 'New', users: 5, changes: [['1.0.0-beta.14', '2.0.0']] };
  expect(versionAt(start + 8 * hour)).toEqual({ ...corrected, visits: ['1.0.0-beta.14', '2.0.0'] });
  expect(versionAt(start + 15 * hour)).toEqual({ ...corrected, visits: ['1.0.0-beta.14', '2.0.0', null] });

  clock.at = start + 18 * hour;
  expect(store.correct(domain, [correctionOf(1, '0.9.0', 'Old')], clock.at, replayRules(clock.at))).toBe(true);
  expect(versionAt(start + hour)).toMatchObject({ version: '0.9.0', name: 'Old', users: 5, changes: [] });
  expect(versionAt(start + 8 * hour)).toMatchObject({ version: '2.0.0', changes: [['0.9.0', '2.0.0']] });
});

test('a past state after a replay equals what was read at that time', async () => {
  const path = scratchPath();
  const { store, clock } = await visitedStore(path);
  await using _store = store;
  const expectedStates = new Map<number, unknown>();
  const remember = (at: number) => {
    clock.at = at;
    expectedStates.set(at, readNow(store, at));
  };
  clock.at = start + 16 * hour;
  const notLoops = {
    ...correctionOf(2, '2.0.0', 'New').visit,
    verdict: 'other',
    software: 'pixelfed',
    facts: null,
  } as const;
  const corrections = [correctionOf(1, '0.9.0', 'Old'), { visitId: 2, visit: notLoops, replaced: {} }];
  expect(store.correct(domain, corrections, clock.at, replayRules(clock.at))).toBe(true);
  remember(start + 17 * hour);
  const requested = start + 18 * hour;
  store.requestVisit([domain], requested);
  remember(start + 19 * hour);
  clock.at = start + 20 * hour;
  const [lease] = store.lease(1, clock.at);
  if (lease === undefined) throw new Error('nothing is due');
  store.record([recordedVisit(lease, clock.at, loopsVisit(domain, clock.at))]);
  remember(start + 21 * hour);
  expect(expectedStates.size).toBe(3);
  for (const [at, expected] of expectedStates) expect(readAsOf(path, at), new Date(at).toISOString()).toEqual(expected);
});

test('forgetting a domain deletes its corrections', async () => {
  const path = scratchPath();
  const { store, clock } = await visitedStore(path);
  await using _store = store;
  expect(store.correct(domain, [correctionOf(1, '9', 'Another')], clock.at, replayRules(clock.at))).toBe(true);
  const other = storedDomain('other.example.org');
  store.requestVisit([other], clock.at);
  const [lease] = store.lease(1, clock.at, { only: [other] });
  if (lease === undefined) throw new Error('nothing is due');
  store.record([recordedVisit(lease, clock.at, unreachableVisit(other, clock.at))]);
  store.forget([domain], clock.at + hour);
  const { domains, instances, usage, visits } = readAsOf(path, clock.at);
  expect(domains.map((line) => line?.domain)).toEqual([other]);
  expect({ instances, usage, visits: visits.length }).toEqual({ instances: [], usage: [], visits: 1 });
  const rows = (table: string) =>
    withSqlite(path, (sqlite) => sqlite.prepare(`select count(*) from ${table}`).pluck().get());
  expect(['reschedules', 'corrections', 'fact_sets', 'facts'].map(rows)).toEqual([0, 0, 0, 0]);
});
