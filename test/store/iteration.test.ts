import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCompiler, Query, type QueryParameter } from '../../src/store/sqlite/prepare.ts';

/** A query of the ids from a given one on: `ids` reads all, `prepared` counts the prepared statements. */
function countingQuery() {
  const sqlite = new SqliteDatabase(':memory:');
  onTestFinished(() => void sqlite.close());
  sqlite.exec('create table visits (id integer primary key); insert into visits values (1), (2), (3)');
  const prepare = vi.spyOn(sqlite, 'prepare');
  const query = new Query(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    createCompiler().selectFrom('visits').select('id').where('id', '>=', parameter('id')).orderBy('id'),
  );
  return {
    sqlite,
    ids: (id: number) => [...query.iterate({ id })].map((row) => row.id),
    rowsFrom: (id: number) => query.iterate({ id }),
    prepared: () => prepare.mock.calls.length,
  };
}

test('a query can be iterated inside its own iteration, with other parameters', () => {
  const { rowsFrom, ids } = countingQuery();
  const idsFromEachRow: number[][] = [];
  for (const { id } of rowsFrom(1)) idsFromEachRow.push(ids(id));
  expect(idsFromEachRow).toEqual([[1, 2, 3], [2, 3], [3]]);
});

test('as many statements are prepared as are in use at the same time', () => {
  const { rowsFrom, ids, prepared } = countingQuery();
  for (let i = 0; i < 5; i++) for (const { id } of rowsFrom(1)) ids(id);
  expect(prepared()).toBe(2);
});

test('an abandoned iteration leaves no statement open', () => {
  const { sqlite, rowsFrom, ids, prepared } = countingQuery();
  for (const { id } of rowsFrom(1)) if (id === 2) break;
  sqlite.exec('insert into visits values (4)');
  expect(ids(2)).toEqual([2, 3, 4]);
  expect(prepared()).toBe(1);
});
