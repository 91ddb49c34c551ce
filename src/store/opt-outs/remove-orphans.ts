import { sql } from 'kysely';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { documentColumns } from '../visits/documents.ts';

type Id = { id: number };

/** Each method deletes those of the given rows to which no other row refers, and returns the number of deleted rows. */
export interface OrphanRemover {
  removeDocuments(ids: Iterable<number | null>): number;
  removeFactSets(ids: Iterable<number | null>): number;
}

export function createOrphanRemover(sqlite: Sqlite, db: Compiler): OrphanRemover {
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
  const removeDocument = prepare(sqlite, (parameter: QueryParameter<Id>) =>
    db
      .deleteFrom('documents')
      .where('id', '=', parameter('id'))
      .where(isUnreferenced(parameter('id'), documentReferences)),
  );
  const removeFactSet = prepare(sqlite, (parameter: QueryParameter<Id>) =>
    db
      .deleteFrom('fact_sets')
      .where('id', '=', parameter('id'))
      .where(isUnreferenced(parameter('id'), factReferences)),
  );
  const removeAll = (remove: typeof removeDocument, ids: Iterable<number | null>): number => {
    let removed = 0;
    for (const id of new Set(ids)) if (id !== null) removed += remove.run({ id });
    return removed;
  };
  return {
    removeDocuments: (ids) => removeAll(removeDocument, ids),
    removeFactSets: (ids) => removeAll(removeFactSet, ids),
  };
}
