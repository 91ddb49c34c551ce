import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import { afterAdded } from '../../src/schedule/after-added.ts';
import { afterVisit } from '../../src/schedule/after-visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Correction, Store } from '../../src/store/store.ts';
import { standardPolicy } from '../schedule/standard-policy.ts';
import { mutateDomains } from '../simulation/mutate-domains.ts';
import { simulateYear } from '../simulation/simulate-year.ts';
import { replayRules } from './replay-rules.ts';
import { hour, loopsVisit, recordedVisit, sampleFactsAt, unreachableVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const domain = storedDomain('loops.example.org');
const day = 24 * hour;
const clock = { at: 0 };

function recordVisit(store: Store, visit: Visit): void {
  const { at } = visit;
  clock.at = at;
  store.requestVisit([domain], at);
  const [lease] = store.lease(1, at, { only: [domain] });
  if (lease === undefined) throw new Error('nothing is due');
  const after = afterVisit(lease.record, visit, at, 0.5, standardPolicy);
  expect(store.record([{ lease, visit, after }]).recorded).toBe(1);
}

const loops = (version: string, at: number): Visit =>
  loopsVisit(domain, at, { version, facts: { ...sampleFactsAt(at), version } });

/** A correction that replaces a stored visit by `visit`. If they are the same, the correction only recomputes the log. */
const correctionFor = (visitId: number, visit: Visit, replaced: Correction['replaced'] = {}): Correction => {
  const { verdict, reason, via, software, version, aliasOf, facts } = visit;
  return { visitId, visit: { verdict, reason, via, software, version, aliasOf, facts, canonicalHost: null }, replaced };
};

async function storeOf(visits: readonly Visit[], path = scratchPath()): Promise<Store> {
  const store = await openStore({ path, now: () => clock.at });
  store.enter([domain], 1);
  for (const visit of visits) recordVisit(store, visit);
  return store;
}

const changesOf = (store: Store) => {
  using reader = store.reader();
  return [...reader.changesOf(domain)].map(({ at, field, from, to, cause, visitId }) => ({
    at,
    field,
    from,
    to,
    cause,
    visitId,
  }));
};

test('a correction rewrites the visit and its changes at the time of the visit, and stores the former values', async () => {
  const path = scratchPath();
  await using store = await storeOf([loops('1', day), loops('v2', 2 * day), unreachableVisit(domain, 3 * day)], path);
  using reader = store.reader();
  const before = reader.find(domain);
  const corrected = loops('2', 2 * day);
  const facts = { ...sampleFactsAt(2 * day), version: '2', name: 'New' };
  const correction = correctionFor(2, { ...corrected, facts }, { version: 'v2', name: 'Sample Loops' });
  expect(store.correct(domain, [correction], 9 * day, replayRules(9 * day))).toBe(true);
  expect([...reader.visitsOf(domain)][1]).toMatchObject({ version: '2', facts, at: 2 * day });
  expect(reader.find(domain)).toEqual({ ...before, version: '2' });
  expect(reader.factsOf(domain)).toMatchObject({ facts, checkedAt: 2 * day });
  const replayed = changesOf(store).filter(({ cause }) => cause === 'replay');
  expect(replayed).toEqual([
    { at: 2 * day, field: 'name', from: 'Sample Loops', to: 'New', cause: 'replay', visitId: 2 },
    { at: 2 * day, field: 'version', from: '1', to: '2', cause: 'replay', visitId: 2 },
  ]);
  expect(changesOf(store).filter(({ field }) => field === 'version')).toHaveLength(1);
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select * from corrections').all())).toEqual([
    { visit_id: 2, recorded_at: 9 * day, replaced: '{"version":"v2","name":"Sample Loops"}' },
  ]);
});

test('a correction affects the log only up to the next visit that reads the same field', async () => {
  await using store = await storeOf([loops('1', day), loops('v2', 2 * day), loops('3', 3 * day)]);
  using reader = store.reader();
  const before = { record: reader.find(domain), facts: reader.factsOf(domain) };
  expect(store.correct(domain, [correctionFor(2, loops('2', 2 * day))], 9 * day, replayRules(9 * day))).toBe(true);
  expect({ record: reader.find(domain), facts: reader.factsOf(domain) }).toEqual(before);
  const versions = changesOf(store).filter(({ field }) => field === 'version');
  expect(versions.map(({ at, from, to, cause }) => [at / day, from, to, cause])).toEqual([
    [3, '2', '3', 'replay'],
    [2, '1', '2', 'replay'],
  ]);
});

test('changes unaffected by a correction are not rewritten', async () => {
  await using store = await storeOf([
    loops('1', day),
    ...Array.from({ length: 9 }, (_, i) => unreachableVisit(domain, (2 + 2 * i) * day)),
  ]);
  store.reactivate([domain], 60 * day, (before) => afterAdded(before, 60 * day, 'a user requested a visit'));
  for (const visit of [loops('1', 61 * day), loops('v2', 62 * day), unreachableVisit(domain, 63 * day)])
    recordVisit(store, visit);
  using reader = store.reader();
  const before = { record: reader.find(domain), changes: changesOf(store) };
  expect(before.record).toMatchObject({ state: 'failing', failures: 1 });
  const corrections = [...reader.visitsOf(domain)]
    .reverse()
    .map(({ id, ...visit }) => correctionFor(id, visit as never));
  expect(store.correct(domain, corrections, 70 * day, replayRules(70 * day))).toBe(true);
  expect({ record: reader.find(domain), changes: changesOf(store) }).toEqual(before);
  expect(before.changes.filter(({ cause }) => cause === 'added')).toHaveLength(1);
});

test('a domain that died only because of a parser error was active all the time according to the corrected log', async () => {
  const misreadVisit = (at: number) =>
    ({ ...unreachableVisit(domain, at), verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link' }) as const;
  const days = Array.from({ length: 9 }, (_, i) => 2 + 2 * i);
  await using store = await storeOf([loops('1', day), ...days.map((dayNumber) => misreadVisit(dayNumber * day))]);
  store.reactivate([domain], 30 * day, (before) => afterAdded(before, 30 * day, 'a user requested a visit'));
  using reader = store.reader();
  expect(reader.find(domain)).toMatchObject({ state: 'new' });
  const corrections = days.map((dayNumber, index) => correctionFor(index + 2, loops('1', dayNumber * day)));
  expect(store.correct(domain, corrections, 31 * day, replayRules(31 * day))).toBe(true);
  expect(reader.find(domain)).toMatchObject({ state: 'active', stateSince: day, failures: 0, lastSeen: 18 * day });
  expect(changesOf(store).map(({ field, cause }) => [field, cause])).toEqual([
    ['identifiedAs', 'visit'],
    ['state', 'visit'],
  ]);
});

test('a correction fails for an unknown visit, while the domain is leased, and after it opted out', async () => {
  await using store = await storeOf([loops('v1', day)]);
  using reader = store.reader();
  const correction = correctionFor(1, loops('1', day));
  const correct = (given: Correction) => store.correct(domain, [given], 9 * day, replayRules(9 * day));
  expect(correct({ ...correction, visitId: 99 })).toBe(false);
  const [lease] = store.lease(1, 99 * day);
  if (lease === undefined) throw new Error('nothing is due');
  expect(correct(correction)).toBe(false);
  expect(reader.find(domain)).toMatchObject({ version: 'v1' });
  store.record([recordedVisit(lease, 99 * day, loops('v3', 99 * day))]);
  expect(correct(correction)).toBe(true);
  expect([...reader.visitsOf(domain)].map(({ version }) => version)).toEqual(['v3', '1']);
  expect(reader.find(domain)).toMatchObject({ version: 'v3', lastVisit: 99 * day });
  store.forget([domain], 100 * day);
  expect(correct(correction)).toBe(false);
});

test('the log is recomputed in the order of recording, even if the clock was set back', async () => {
  await using store = await storeOf([
    loops('1', 20 * day),
    unreachableVisit(domain, 4 * day),
    unreachableVisit(domain, 5 * day),
    loops('v2', 3 * day),
    loops('v2', 2 * day),
  ]);
  using reader = store.reader();
  const before = { record: reader.find(domain), facts: reader.factsOf(domain), changes: changesOf(store) };
  expect(before.record).toMatchObject({ state: 'active', stateSince: 3 * day, lastVisit: 2 * day, version: 'v2' });
  for (const { id, ...visit } of [...reader.visitsOf(domain)]) {
    expect(store.correct(domain, [correctionFor(id, visit as never)], 30 * day, replayRules(30 * day))).toBe(true);
    expect({ record: reader.find(domain), facts: reader.factsOf(domain), changes: changesOf(store) }).toEqual(before);
  }
});

test('recomputing a log without corrections changes nothing, whatever changed the domains', async () => {
  using year = await simulateYear({
    hosts: 100,
    seed: 6,
    days: 22,
    exportEveryDays: 0,
    onDay: (at, day, app) => {
      mutateDomains(app, at, day);
    },
  });
  const rows = () =>
    withSqlite(year.database, (sqlite) =>
      ['domains', 'visits', 'changes', 'facts', 'usage', 'reschedules'].map((table) =>
        sqlite.prepare(`select * from ${table}`).all(),
      ),
    );
  const before = rows();
  await using store = await openStore({ path: year.database });
  using reader = store.reader();
  const end = Math.max(...[...reader.domains()].map(({ lastVisit }) => lastVisit ?? 0)) + hour;
  let corrected = 0;
  for (const { domain: each } of [...reader.domains()]) {
    // A correction of the first visit to its stored values makes the store recompute the log from there.
    const [first] = [...reader.visitsOf(each)].toReversed();
    if (first === undefined) continue;
    const correction = { visitId: first.id, visit: first, replaced: {} };
    expect(store.correct(each, [correction], end, replayRules(end))).toBe(true);
    corrected += 1;
  }
  expect(corrected).toBeGreaterThan(50);
  for (const [index, table] of rows().entries()) expect(table).toEqual(before[index]);
}, 120_000);
