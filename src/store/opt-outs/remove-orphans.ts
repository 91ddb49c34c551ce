import { sql } from 'kysely';
import { type Compiler, type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { documentColumns } from '../visits/documents.ts';

type Id = { id: number };

/** Removes, of the documents or fact sets with some ids, those that nothing refers to any more; answers how many. Each is found by index. */
export interface OrphanRemover {
  removeDocuments(ids: Iterable<number | null>): number;
  removeFactSets(ids: Iterable<number | null>): number;
}

export function createOrphanRemover(sqlite: Sqlite, db: Compiler): OrphanRemover {
  const isNowhere = (id: ReturnType<Placeholder<Id>>, places: readonly (readonly [string, string])[]) =>
    sql<boolean>`${sql.join(
      places.map(
        ([table, column]) =>
          // A partial index over what is not null is used only when the query says so.
          sql`not exists (select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id} and ${sql.ref(column)} is not null)`,
      ),
      sql` and `,
    )}`;
  const documentPlaces = ['visits', 'latest_documents'].flatMap((table) =>
    documentColumns.map((column) => [table, column] as const),
  );
  const factPlaces = [
    ['visits', 'facts_id'],
    ['visits', 'merged_facts_id'],
    ['facts', 'facts_id'],
  ] as const;
  const removeDocument = prepare(sqlite, (value: Placeholder<Id>) =>
    db
      .deleteFrom('documents')
      .where('id', '=', value('id'))
      .where(isNowhere(value('id'), documentPlaces)),
  );
  const removeFactSet = prepare(sqlite, (value: Placeholder<Id>) =>
    db
      .deleteFrom('fact_sets')
      .where('id', '=', value('id'))
      .where(isNowhere(value('id'), factPlaces)),
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
