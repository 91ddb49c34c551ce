import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { storedDomain } from '../../../src/domain/stored-domain.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { scratchPath } from '../scratch.ts';

test('a host that asked before ways were told apart goes on asking, and one that did not does not', async () => {
  const path = scratchPath();
  const sqlite = new SqliteDatabase(path);
  await migrate(sqlite, path, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0009')));
  const insert = sqlite.prepare(
    `insert into domains (domain, registrable_domain, state, first_seen, noindex) values (?, 'example.org', 'active', 1, ?)`,
  );
  for (const [domain, noindex] of [
    ['asks.example.org', 1],
    ['asks-not.example.org', 0],
    ['unknown.example.org', null],
  ])
    insert.run(domain, noindex);
  sqlite.close();
  await using store = await openStore({ path });
  using reader = store.reader();
  const hostOf = (name: string) => reader.find(storedDomain(name))?.host;
  expect(hostOf('asks.example.org')).toMatchObject({ noindex: true, noindexBy: ['earlier'] });
  expect(hostOf('asks-not.example.org')).toMatchObject({ noindex: false });
  expect(hostOf('asks-not.example.org')).not.toHaveProperty('noindexBy');
  expect(hostOf('unknown.example.org')).toMatchObject({ noindex: null });
});
