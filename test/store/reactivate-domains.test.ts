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

test('reactivation updates known domains, resets their lost leases and enters unknown ones', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter([known], 1);
  withSqlite(path, (sqlite) =>
    sqlite.exec(
      `update domains set state = 'dead', failures = 9, failing_since = 2, next_visit = 9999, leases_lost = 4`,
    ),
  );
  expect(store.reactivate([known, unknown], 50, resetAt(50))).toEqual({ optedOut: [], leased: [] });
  using reader = store.reader();
  expect(reader.find(known)).toMatchObject({
    state: 'new',
    stateSince: 50,
    failures: 0,
    failingSince: null,
    nextVisit: 50,
  });
  expect(reader.find(unknown)).toMatchObject({ state: 'new', firstSeen: 50, nextVisit: 50, nextVisitWhy: 'asked for' });
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select max(leases_lost) from domains').pluck().get())).toBe(0);
});

test('reactivation records a change of state with its cause, and no change if the state is the same', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.enter([known, gone], 1);
  withSqlite(path, (sqlite) => sqlite.exec(`update domains set state = 'gone' where domain = '${gone}'`));
  store.reactivate([known, gone, unknown], 50, resetAt(50));
  using reader = store.reader();
  expect([...reader.changesOf(gone)]).toMatchObject([
    { field: 'state', from: 'gone', to: 'new', why: 'asked for', at: 50, cause: 'added', visitId: null },
  ]);
  expect([...reader.changesOf(known), ...reader.changesOf(unknown)]).toEqual([]);
});

test('reactivation skips and returns opted-out and leased domains', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  await using other = await openStore({ path, leaseMs: 1_000 });
  store.enter([known], 1);
  store.forget([gone], 1);
  const [lease] = other.lease(1, 10);
  const skipped = { optedOut: [gone], leased: [known] };
  expect(store.reactivate([known, gone], 50, resetAt(50))).toEqual(skipped);
  using reader = store.reader();
  expect(reader.find(gone)).toBeNull();
  if (!lease) throw new Error('nothing was leased');
  expect(other.record([recordedVisit(lease, 60)])).toEqual({ recorded: 1, lost: [] });
});

test('an expired lease does not prevent reactivation', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  await using other = await openStore({ path, leaseMs: 10 });
  store.enter([known], 1);
  other.lease(1, 10);
  expect(store.reactivate([known], 20, resetAt(20))).toEqual({ optedOut: [], leased: [] });
});
