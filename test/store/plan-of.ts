import { sql } from 'kysely';
import { openStore } from '../../src/store/open-store.ts';
import { type Compiler, createCompiler } from '../../src/store/sqlite/prepare.ts';
import { scratchPath, withSqlite } from './scratch.ts';

export interface Query {
  compile(): { sql: string; parameters: readonly unknown[] };
}

/** A placeholder for parameters of queries that are explained but not executed. */
export const anyValue = () => sql<never>`${1}`;

/** The steps of SQLite's query plan on an empty database. */
export async function planOf(build: (db: Compiler) => Query): Promise<string[]> {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  const query = build(createCompiler()).compile();
  return withSqlite(path, (sqlite) =>
    sqlite
      .prepare<unknown[], { detail: string }>(`explain query plan ${query.sql}`)
      .all(...query.parameters)
      .map(({ detail }) => detail),
  );
}
