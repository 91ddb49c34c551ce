import type { z } from 'zod';
import { type Compiler, prepare, type QueryParameter } from './sqlite/prepare.ts';
import type { Sqlite } from './sqlite/sqlite.ts';

/** Creates a function that stores a value under a key, as JSON. It runs inside the caller's transaction. */
export function createMetadataWriter<Value>(sqlite: Sqlite, db: Compiler, key: string): (value: Value) => void {
  const replace = prepare(sqlite, (parameter: QueryParameter<{ key: string; value: string }>) =>
    db
      .insertInto('metadata')
      .values({ key: parameter('key'), value: parameter('value') })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: parameter('value') })),
  );
  return (value) => {
    replace.run({ key, value: JSON.stringify(value) });
  };
}

/** Creates a function that reads the value under a key; null when there is none. */
export function createMetadataReader<Value>(
  sqlite: Sqlite,
  db: Compiler,
  key: string,
  schema: z.ZodType<Value>,
): () => Value | null {
  const find = prepare(sqlite, (parameter: QueryParameter<{ key: string }>) =>
    db.selectFrom('metadata').select('value').where('key', '=', parameter('key')),
  );
  return () => {
    const value = find.get({ key });
    return value === undefined ? null : schema.parse(JSON.parse(value.value));
  };
}
