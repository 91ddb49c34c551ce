import { sql } from 'kysely';
import { Rows } from '../sqlite/database.ts';
import type { QueryParameter } from '../sqlite/prepare.ts';
import { documentColumns } from '../visits/documents.ts';

type Id = { id: number };

const isUnreferenced = (id: ReturnType<QueryParameter<Id>>, references: readonly (readonly [string, string])[]) =>
  sql<boolean>`${sql.join(
    references.map(
      ([table, column]) =>
        // SQLite uses the partial index only if the query repeats its condition.
        sql`not exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} and ${sql.ref(column)} is not null)`,
    ),
    sql` and `,
  )}`;

const documentReferences = ['visits', 'latest_documents'].flatMap((table) =>
  documentColumns.map((column) => [table, column] as const),
);
const factReferences = [
  ['visits', 'facts_id'],
  ['facts', 'facts_id'],
] as const;

/** Each method deletes those of the given rows to which no other row refers, and returns the number of deleted rows. */
export class Orphans extends Rows {
  readonly #removeDocument = this.database.prepare((db, parameter: QueryParameter<Id>) =>
    db
      .deleteFrom('documents')
      .where('id', '=', parameter('id'))
      .where(isUnreferenced(parameter('id'), documentReferences)),
  );
  readonly #removeFactSet = this.database.prepare((db, parameter: QueryParameter<Id>) =>
    db
      .deleteFrom('fact_sets')
      .where('id', '=', parameter('id'))
      .where(isUnreferenced(parameter('id'), factReferences)),
  );

  removeDocuments(ids: Iterable<number | null>): number {
    let removed = 0;
    for (const id of new Set(ids)) if (id !== null) removed += this.#removeDocument.run({ id });
    return removed;
  }

  removeFactSets(ids: Iterable<number | null>): number {
    let removed = 0;
    for (const id of new Set(ids)) if (id !== null) removed += this.#removeFactSet.run({ id });
    return removed;
  }
}
