import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createCompiler, Query, type QueryParameter } from '../../src/store/sqlite/prepare.ts';

function openInMemory() {
  const sqlite = new SqliteDatabase(':memory:');
  onTestFinished(() => void sqlite.close());
  return sqlite;
}

test('parameters and constants of a query are bound in the right positions on every execution', () => {
  const query = new Query(openInMemory(), (parameter: QueryParameter<{ first: string; second: number }>) =>
    createCompiler().selectNoFrom([
      sql<number>`${parameter('second')}`.as('a'),
      sql<string>`${'constant'}`.as('b'),
      sql<string>`${parameter('first')}`.as('c'),
      sql<number>`${parameter('second')} + ${1}`.as('d'),
    ]),
  );
  expect(query.get({ first: 'x', second: 5 })).toEqual({ a: 5, b: 'constant', c: 'x', d: 6 });
  expect(query.all({ second: 7, first: `'; drop table domains` })).toEqual([
    { a: 7, b: 'constant', c: `'; drop table domains`, d: 8 },
  ]);
});

test('a prepared query can be executed repeatedly and streamed', () => {
  const sqlite = openInMemory();
  sqlite.exec('create table robots (domain_id integer primary key, read_at integer)');
  let compiled = 0;
  const insert = new Query(sqlite, (parameter: QueryParameter<{ id: number }>) => {
    compiled += 1;
    return createCompiler()
      .insertInto('robots')
      .values({ domain_id: parameter('id'), read_at: 1 });
  });
  const changes = [3, 1, 2].map((id) => insert.run({ id }));
  const ids = new Query(sqlite, (parameter: QueryParameter<{ from: number }>) =>
    createCompiler().selectFrom('robots').select('domain_id as id').where('domain_id', '>=', parameter('from')),
  );
  expect({ compiled, changes }).toEqual({ compiled: 1, changes: [1, 1, 1] });
  expect([...ids.iterate({ from: 2 })]).toEqual([{ id: 2 }, { id: 3 }]);
});
