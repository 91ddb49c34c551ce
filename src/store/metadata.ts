import type { z } from 'zod';
import { Rows } from './sqlite/database.ts';
import type { QueryParameter } from './sqlite/prepare.ts';

/** Values that belong to the database as a whole, as JSON. */
export class Metadata extends Rows {
  readonly #find = this.database.prepare((db, parameter: QueryParameter<{ key: string }>) =>
    db.selectFrom('metadata').select('value').where('key', '=', parameter('key')),
  );
  readonly #replace = this.database.prepare((db, parameter: QueryParameter<{ key: string; value: string }>) =>
    db
      .insertInto('metadata')
      .values({ key: parameter('key'), value: parameter('value') })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: parameter('value') })),
  );

  /** The value under a key; null when there is none. */
  get<Value>(key: string, schema: z.ZodType<Value>): Value | null {
    const row = this.#find.get({ key });
    return row === undefined ? null : schema.parse(JSON.parse(row.value));
  }

  /** Runs inside the caller's transaction. */
  set(key: string, value: unknown): void {
    this.#replace.run({ key, value: JSON.stringify(value) });
  }
}
