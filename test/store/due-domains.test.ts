import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { selectBrought, selectBroughtPorts } from '../../src/store/crowds.ts';
import {
  selectBacklog,
  selectDueAmong,
  selectNextLost,
  selectSomeDue,
  selectTurns,
} from '../../src/store/due-domains.ts';
import { lines } from '../../src/store/lines.ts';
import { selectSourcesOfInstance } from '../../src/store/read-memberships.ts';
import { selectLastOfSite } from '../../src/store/read-site-visits.ts';
import { selectWaitingCount } from '../../src/store/waiting-counts.ts';
import { anyValue, planOf } from './plan-of.ts';

test.each(lines)(
  'due domains of a turn of the line %s are picked from its index in order, without a scan or a sort',
  async (line) => {
    expect(await planOf((db) => selectSomeDue(db, line, anyValue))).toEqual([
      'SEARCH domains USING INDEX domains_waiting (line=? AND turn=? AND next_visit<?)',
    ]);
  },
);

test('what is due is counted in the same index', async () => {
  const plan = await planOf((db) => selectBacklog(db, 'live', anyValue));
  expect(plan).toContain('SEARCH domains USING INDEX domains_waiting (line=? AND turn=? AND next_visit<?)');
  expect(plan.join()).not.toContain('TEMP B-TREE');
});

test('due domains among some are each looked up by name', async () => {
  const plan = await planOf((db) => selectDueAmong(db, () => sql<never>`${'[]'}`));
  expect(plan[0]).toMatch(/^SEARCH domains USING INDEX sqlite_autoindex_domains_1 \(domain=\?\)$/);
});

test('the next domain that waits after a lost lease is found in its index', async () => {
  expect(await planOf((db) => selectNextLost(db, anyValue))).toEqual([
    'SEARCH domains USING INDEX domains_lost_leases (next_visit>?)',
  ]);
});

test.each([
  ['expired leases', `lease_expires <= 1 and lease_owner is not null and lease_owner <> 'x'`, 'domains_lease_expires'],
  ['the leases of an owner', `lease_owner = 'x'`, 'domains_lease_owner'],
  ['a leased domain', `domain = 'x' and lease_owner = 'x' and lease_token = 1`, 'sqlite_autoindex_domains_1'],
])('%s are found in an index', async (_what, condition, index) => {
  const plan = await planOf((db) =>
    db
      .selectFrom('domains')
      .selectAll()
      .where(sql<boolean>`${sql.raw(condition)}`),
  );
  expect(plan).toHaveLength(1);
  expect(plan[0]).toContain(`SEARCH domains USING INDEX ${index} `);
});

test('the turns of a line are found by leaps in the index, however many wait in each', async () => {
  const plan = await planOf((db) => selectTurns(db, 'new'));
  const searches = plan.filter((step) => step.includes('domains'));
  expect(searches).toEqual([
    'SEARCH domains USING INDEX domains_waiting (line=?)',
    'SEARCH domains USING INDEX domains_waiting (line=? AND turn>?)',
  ]);
  expect(plan.join()).not.toContain('TEMP B-TREE');
});

test('what waits for a source is counted in the index alone', async () => {
  const plan = await planOf((db) => selectWaitingCount(db, anyValue));
  expect(plan).toContain('SEARCH domains USING COVERING INDEX domains_unvisited (turn_of=? AND last_visit=?)');
});

test('how many a source brought of a registrable domain is counted in the index alone, and its ports of a host among those of that host', async () => {
  expect(await planOf((db) => selectBrought(db, anyValue))).toContain(
    'SEARCH domains USING COVERING INDEX domains_registrable_domain (registrable_domain=? AND brought_by=?)',
  );
  expect((await planOf((db) => selectBroughtPorts(db, anyValue))).join()).toContain('(domain>? AND domain<?)');
});

test('the visits to a host under all its names are found by index', async () => {
  const plan = await planOf((db) => selectLastOfSite(db, anyValue));
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
  expect(plan.join()).toContain('domains_points_to (points_to=?)');
});
