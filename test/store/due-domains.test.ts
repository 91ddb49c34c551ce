import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Compiler, createCompiler } from '../../src/store/compiler.ts';
import { selectDue, selectDueAmong, selectNextLost } from '../../src/store/due-domains.ts';
import { openStore } from '../../src/store/open-store.ts';
import { meddle, scratchPath } from './scratch.ts';

/** How SQLite executes a query: one line per step. */
async function planOf(build: (db: Compiler) => { compile(): { sql: string; parameters: readonly unknown[] } }) {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  const query = build(createCompiler()).compile();
  return meddle(path, (sqlite) =>
    sqlite
      .prepare<unknown[], { detail: string }>(`explain query plan ${query.sql}`)
      .all(...query.parameters)
      .map(({ detail }) => detail),
  );
}
const value = () => sql<never>`${1}`;

test('due domains are picked from their index in order, without a scan and without sorting', async () => {
  expect(await planOf((db) => selectDue(db, value))).toEqual(['SEARCH domains USING INDEX domains_due (next_visit<?)']);
});

test('due domains among some are each looked up by name', async () => {
  const plan = await planOf((db) => selectDueAmong(db, () => sql<never>`${'[]'}`));
  expect(plan[0]).toMatch(/^SEARCH domains USING INDEX sqlite_autoindex_domains_1 \(domain=\?\)$/);
});

test('the next domain that waits after a lost lease is found in its index', async () => {
  expect(await planOf((db) => selectNextLost(db, value))).toEqual([
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
