import { expect, test } from 'vitest';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import { domainLineOf } from '../../src/export/domain-line-of.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Revision, Store } from '../../src/store/store.ts';
import type { StoreReader } from '../../src/store/store-reader.ts';
import { hour, loopsVisit, recorded, sampleFactsAt, unreachableVisit } from './sample-visit.ts';
import { meddle, scratchPath } from './scratch.ts';

const domain = storedDomain('loops.example.org');
const start = Date.UTC(2026, 0, 1);

/** All that a reader tells of the directory and its history. */
const told = (reader: StoreReader, at: number) => ({
  domains: [...reader.domains()].map((record) => domainLineOf(record, reader.isWithheld)),
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

async function visitedStore(path: string): Promise<{ store: Store; clock: { at: number } }> {
  const clock = { at: start };
  const store = await openStore({ path, now: () => clock.at });
  store.enter([domain], start);
  for (const [index, visit] of [loopsVisit, loopsVisit, unreachableVisit].entries()) {
    clock.at = start + index * 7 * hour;
    const [lease] = store.lease(1, clock.at);
    if (lease === undefined) throw new Error('nothing is due');
    store.record([recorded(lease, clock.at, visit(domain, clock.at))]);
  }
  return { store, clock };
}

const toldNow = (store: Store, at: number) => {
  using reader = store.reader({ snapshot: true });
  return told(reader, at);
};
const toldAsOf = (path: string, at: number) => {
  using reader = openReader(path, { busyTimeoutMs: 50, asOf: { at } });
  return told(reader, at);
};

test('what a replay decides anew is told from then on, and what was decided before until then', async () => {
  const path = scratchPath();
  const { store, clock } = await visitedStore(path);
  await using _store = store;
  const then = new Map<number, unknown>();
  const note = (at: number) => {
    clock.at = at;
    then.set(at, toldNow(store, at));
  };
  note(start + 15 * hour);

  using reader = store.reader();
  const revise = (visitId: number, version: string, name: string) => {
    const before = reader.find(domain);
    if (before === null) throw new Error('the domain is known');
    const { verdict, reason, via, software, aliasOf, at } = loopsVisit(domain, start + (visitId - 1) * 7 * hour);
    const usage = { ...sampleFactsAt(at).usage, users: 5 };
    const facts = { ...sampleFactsAt(at), version, name, usage };
    const visit: Revision['visit'] = { verdict, reason, via, software, version, aliasOf, facts };
    const after = visitId === 2 ? { ...before, version, nextVisit: clock.at + hour } : null;
    expect(store.revise([{ visitId, visit, after }], clock.at)).toEqual({ revised: 1, left: 0 });
  };
  clock.at = start + 16 * hour;
  revise(2, '2.0.0', 'New');
  note(start + 17 * hour);
  clock.at = start + 18 * hour;
  revise(2, '3.0.0', 'Newer');
  revise(1, '0.9.0', 'Old');
  note(start + 19 * hour);
  clock.at = start + 20 * hour;
  const [lease] = store.lease(1, clock.at);
  if (lease === undefined) throw new Error('nothing is due');
  store.record([recorded(lease, clock.at, loopsVisit(domain, clock.at))]);
  note(start + 21 * hour);

  expect(then.size).toBe(4);
  for (const [at, expected] of then) expect(toldAsOf(path, at), new Date(at).toISOString()).toEqual(expected);
  const versions = [...then.keys()].map((at) => toldAsOf(path, at).instances[0]?.facts.version);
  expect(versions).toEqual(['1.0.0-beta.14', '2.0.0', '3.0.0', '1.0.0-beta.14']);
});

test('what a replay replaced goes with the domain when it is forgotten', async () => {
  const path = scratchPath();
  const { store, clock } = await visitedStore(path);
  await using _store = store;
  const { verdict, reason, via, software, aliasOf } = loopsVisit(domain, start);
  const facts = { ...sampleFactsAt(start), name: 'Another' };
  store.revise(
    [{ visitId: 1, visit: { verdict, reason, via, software, version: '9', aliasOf, facts }, after: null }],
    9,
  );
  const other = storedDomain('other.example.org');
  store.requestVisit([other], clock.at);
  const [lease] = store.lease(1, clock.at, { only: [other] });
  if (lease === undefined) throw new Error('nothing is due');
  store.record([recorded(lease, clock.at, unreachableVisit(other, clock.at))]);
  store.forget([domain], clock.at + hour);
  const { domains, instances, usage, visits } = toldAsOf(path, clock.at);
  expect(domains.map((line) => line?.domain)).toEqual([other]);
  expect({ instances, usage, visits: visits.length }).toEqual({ instances: [], usage: [], visits: 1 });
  const rows = (table: string) =>
    meddle(path, (sqlite) => sqlite.prepare(`select count(*) from ${table}`).pluck().get());
  expect(['moments', 'revised_visits', 'fact_sets', 'facts'].map(rows)).toEqual([0, 0, 0, 0]);
});
