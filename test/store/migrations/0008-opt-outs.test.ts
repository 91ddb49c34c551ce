import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { storedDomain } from '../../../src/domain/stored-domain.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { scratchPath } from '../scratch.ts';

test.each([
  ['opted-out', true],
  ['dead', false],
])('with a domain that is %s in it, a database of before has something to purge: %s', async (state, isCutShort) => {
  const path = scratchPath();
  const sqlite = new SqliteDatabase(path);
  await migrate(sqlite, path, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0008')));
  const insert = sqlite.prepare(
    `insert into domains (domain, registrable_domain, state, first_seen, next_visit) values (?, 'example.org', ?, 1, 1)`,
  );
  insert.run('out.example.org', state);
  insert.run('www.out.example.org', 'new');
  sqlite.close();
  await using store = await openStore({ path });
  expect(store.isPurgeCutShort()).toBe(isCutShort);
  if (!isCutShort) return;
  expect(store.requestVisit([storedDomain('www.out.example.org')], 2).optedOut).toHaveLength(1);
  store.forget([], 2);
  using reader = store.reader();
  expect([...reader.domains()].map(({ domain }) => domain)).toEqual(['out.example.org']);
  expect([store.isPurgeCutShort(), store.purgeToPublish()]).toEqual([false, 1]);
});
