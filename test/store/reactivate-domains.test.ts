import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import type { DomainRecord } from '../../src/model/domain-record.ts';
import { openStore } from '../../src/store/open-store.ts';
import { recordedVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const [known, unknown, gone] = ['known', 'unknown', 'gone'].map((name) => storedDomain(`${name}.example.org`));
if (!known || !unknown || !gone) throw new Error('three domains are needed');

/** Resets a domain to `new`, as adding a known domain again does. */
const resetAt = (at: number) => (before: DomainRecord) => ({
  ...before,
  state: 'new' as const,
  stateSince: before.state === 'new' ? before.stateSince : at,
  stateWhy: 'asked for',
  nextVisit: at,
  nextVisitWhy: 'asked for',
  failures: 0,
  failingSince: null,
});

test('reactivation updates known domains, resets their crashes and enters unknown ones', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([known], 1);
  withSqlite(path, (sqlite) =>
    sqlite.exec(`update domains set state = 'dead', failures = 9, failing_since = 2, next_visit = 9999, crashes = 4`),
  );
  expect(store.domains.reactivate([known, unknown], 50, resetAt(50))).toEqual({ optedOut: [] });
  using reader = store.reader();
  expect(reader.domains.find(known)).toMatchObject({
    state: 'new',
    stateSince: 50,
    failures: 0,
    failingSince: null,
    nextVisit: 50,
  });
  expect(reader.domains.find(unknown)).toMatchObject({
    state: 'new',
    firstSeen: 50,
    nextVisit: 50,
    nextVisitWhy: 'asked for',
  });
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select max(crashes) from domains').pluck().get())).toBe(0);
});

test('reactivation records a change of state with its cause, and no change if the state is the same', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter([known, gone], 1);
  withSqlite(path, (sqlite) => sqlite.exec(`update domains set state = 'gone' where domain = '${gone}'`));
  store.domains.reactivate([known, gone, unknown], 50, resetAt(50));
  using reader = store.reader();
  expect([...reader.changes.of(gone)]).toMatchObject([
    { field: 'state', from: 'gone', to: 'new', why: 'asked for', at: 50, cause: 'added', visitId: null },
  ]);
  expect([...reader.changes.of(known), ...reader.changes.of(unknown)]).toEqual([]);
});

test('reactivation skips and returns opted-out domains', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([known], 1);
  store.optOuts.forget([gone], 1);
  expect(store.domains.reactivate([known, gone], 50, resetAt(50))).toEqual({ optedOut: [gone] });
  using reader = store.reader();
  expect(reader.domains.find(gone)).toBeNull();
});

test('a domain that is reactivated during its visit is recorded with the result of that visit', async () => {
  await using store = await openStore({ path: scratchPath() });
  store.domains.enter([known], 1);
  const [picked] = store.due.pick(1, 10);
  if (!picked) throw new Error('nothing is due');
  expect(store.domains.reactivate([known], 50, resetAt(50))).toEqual({ optedOut: [] });
  expect(store.visits.record([recordedVisit(picked, 60)])).toEqual([]);
  using reader = store.reader();
  expect(reader.domains.find(known)).toMatchObject({ state: 'active', lastVisit: 60 });
});
