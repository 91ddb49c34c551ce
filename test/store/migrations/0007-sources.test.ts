import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { migrations } from '../../../src/store/migrations/index.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { meddle, scratchPath } from '../scratch.ts';

const states = [
  ['new', null, null, 'new'],
  ['new', 5, 'loops', 'new'],
  ['active', 5, 'loops', 'live'],
  ['active', 5, 'other', 'known'],
  ['dead', 5, 'loops', 'dead'],
  ['opted-out', null, null, null],
] as const;

test('carries every domain over into the line that it was in, in the turn of no source', async () => {
  const path = scratchPath();
  const sqlite = new SqliteDatabase(path);
  sqlite.pragma('foreign_keys = ON');
  const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0007'));
  await migrate(sqlite, path, earlier);
  for (const [index, [state, lastVisit, conclusive]] of states.entries()) {
    sqlite
      .prepare(
        `insert into domains (domain, registrable_domain, state, conclusive, first_seen, last_visit, next_visit)
          values (?, 'example.org', ?, ?, 1, ?, 1)`,
      )
      .run(`h${index}.example.org`, state, conclusive, lastVisit);
  }
  sqlite.close();
  await using store = await openStore({ path });
  const rows = meddle(path, (read) =>
    read.prepare('select line, turn, turn_of, hinted from domains order by id').all(),
  );
  expect(rows).toEqual(states.map(([, , , line]) => ({ line, turn: 0, turn_of: null, hinted: 0 })));
  expect(store.lease(10, 2)).toHaveLength(5);
  using reader = store.reader();
  expect([reader.sourceYields(), [...reader.memberships()].map(({ sources }) => sources)]).toEqual([[], [[]]]);
  expect([reader.sourceStates(), reader.unaskedSources()]).toEqual([[], []]);
  const columns = (table: string) =>
    meddle(path, (read) => read.prepare(`select name from pragma_table_info('${table}')`).pluck().all());
  expect(columns('sources')).toContain('not_before');
  expect(columns('source_runs')).toContain('claimed_until');
  expect(columns('source_absences')).toEqual(['source_id', 'left_at', 'back_at']);
  expect(meddle(path, (read) => read.pragma('integrity_check', { simple: true }))).toBe('ok');
});
