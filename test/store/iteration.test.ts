import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createCompiler, createIteration, prepare, type QueryParameter } from '../../src/store/sqlite/prepare.ts';

function counting() {
  const sqlite = new SqliteDatabase(':memory:');
  onTestFinished(() => void sqlite.close());
  sqlite.exec('create table visits (id integer primary key); insert into visits values (1), (2), (3)');
  let prepared = 0;
  const from = createIteration(() => {
    prepared++;
    return prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
      createCompiler().selectFrom('visits').select('id').where('id', '>=', parameter('id')).orderBy('id'),
    );
  });
  return { sqlite, ids: (id: number) => [...from({ id })].map((row) => row.id), from, prepared: () => prepared };
}

test('a query can be iterated inside its own iteration, with other parameters', () => {
  const { from, ids } = counting();
  const seen: number[][] = [];
  for (const { id } of from({ id: 1 })) seen.push(ids(id));
  expect(seen).toEqual([[1, 2, 3], [2, 3], [3]]);
});

test('as many statements are prepared as are in use at the same time', () => {
  const { from, ids, prepared } = counting();
  for (let i = 0; i < 5; i++) for (const { id } of from({ id: 1 })) ids(id);
  expect(prepared()).toBe(2);
});

test('an abandoned iteration leaves no statement open', () => {
  const { sqlite, from, ids, prepared } = counting();
  for (const { id } of from({ id: 1 })) if (id === 2) break;
  sqlite.exec('insert into visits values (4)');
  expect(ids(2)).toEqual([2, 3, 4]);
  expect(prepared()).toBe(1);
});
