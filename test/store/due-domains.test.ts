import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  laneWeights,
  selectBacklog,
  selectDue,
  selectDueAmong,
  selectNextLostLease,
} from '../../src/store/frontier/due-domains.ts';
import { selectPendingCount } from '../../src/store/frontier/enter-from.ts';
import { isHeld } from '../../src/store/frontier/lost-leases.ts';
import { selectDiscovered, selectDiscoveredPorts } from '../../src/store/frontier/per-source-caps.ts';
import { selectSourcesOfInstance } from '../../src/store/sources/read-memberships.ts';
import type { Lane } from '../../src/store/store-reader.ts';
import { selectLastUnderAnyName } from '../../src/store/visits/names-of-host.ts';
import { anyValue, planOf } from './plan-of.ts';

const lanes = Object.keys(laneWeights) as Lane[];
const LEASE_LOOKUP = 'USING ROWID SEARCH ON TABLE leases FOR IN-OPERATOR';
const laneLookup = (lane: Lane) =>
  `SEARCH domains USING INDEX domains_waiting ${lane === 'new' ? '(lane=?)' : '(lane=? AND due_order<?)'}`;

test.each(lanes)(
  'due domains of the lane %s are picked from its index in order, without a scan or a sort',
  async (lane) => {
    expect(await planOf((db) => selectDue(db, lane, anyValue))).toEqual([laneLookup(lane), LEASE_LOOKUP]);
  },
);

test.each(lanes)('due domains of the lane %s are counted with the index that selects them', async (lane) => {
  const plan = await planOf((db) => selectBacklog(db, lane, anyValue));
  expect(plan).toContain(laneLookup(lane));
  expect(plan.join()).not.toContain('TEMP B-TREE');
});

test('due domains of a given list are looked up by name', async () => {
  const plan = await planOf((db) => selectDueAmong(db, () => sql<never>`${'[]'}`));
  expect(plan[0]).toMatch(/^SEARCH domains USING INDEX sqlite_autoindex_domains_1 \(domain=\?\)$/);
});

test('the next domain that waits after a lost lease is found by index', async () => {
  expect(await planOf((db) => selectNextLostLease(db, anyValue))).toEqual([
    'SEARCH domains USING INDEX domains_lost_leases (next_visit>?)',
    LEASE_LOOKUP,
  ]);
});

test('the lease of a domain is looked up by name', async () => {
  const plan = await planOf((db) =>
    db
      .selectFrom('leases')
      .select('token')
      .where((lease) => isHeld(lease, anyValue)),
  );
  expect(plan.filter((step) => step.startsWith('SEARCH'))).toEqual([
    'SEARCH leases USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH domains USING COVERING INDEX sqlite_autoindex_domains_1 (domain=?)',
  ]);
});

test('the pending domains of a source are counted from an index alone', async () => {
  const plan = await planOf((db) => selectPendingCount(db, anyValue));
  expect(plan).toContain(
    'SEARCH domains USING COVERING INDEX domains_unvisited (queued_for_source_id=? AND last_visit=?)',
  );
});

test('the domains that a source discovered under a registrable domain are counted from an index alone', async () => {
  expect(await planOf((db) => selectDiscovered(db, anyValue))).toContain(
    'SEARCH domains USING COVERING INDEX domains_registrable_domain (registrable_domain=? AND discovered_by_source_id=?)',
  );
});

test('the domains with a port that a source discovered on a host are counted in a range of names', async () => {
  expect((await planOf((db) => selectDiscoveredPorts(db, anyValue))).join()).toContain('(domain>? AND domain<?)');
});

test('the visits to a host under all its names are found by index', async () => {
  const plan = await planOf((db) => selectLastUnderAnyName(db, anyValue));
  expect(plan.filter((step) => step.includes(' domains ')).map((step) => step.replace(/.*\(/, '('))).toEqual([
    '(domain=?)',
    '(domain>? AND domain<?)',
    '(domain=?)',
    '(domain>? AND domain<?)',
  ]);
});

test('the sources of an instance are found by index under each of its names', async () => {
  const plan = await planOf((db) => selectSourcesOfInstance(db, anyValue));
  expect(plan.filter((step) => /SCAN (?!names)/.test(step))).toEqual(['SCAN CONSTANT ROW']);
  expect(plan.join()).toContain('domains_alias_of (alias_of=?)');
  expect(plan.join()).toContain('domains_canonical_host (canonical_host=?)');
});
