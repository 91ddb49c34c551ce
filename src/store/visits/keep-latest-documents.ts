import type { LatestDocumentsTable } from '../schema/latest-documents-table.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { placeholders } from '../sqlite/placeholders.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';

/** Makes the documents of a visit, if it has any, the latest of its domain. Runs inside the caller's transaction. */
export type KeepLatestDocuments = (row: LatestDocumentsTable) => void;

export function createLatestDocumentsKeeper(sqlite: Sqlite, db: Compiler): KeepLatestDocuments {
  const replace = prepare(sqlite, (value: Placeholder<LatestDocumentsTable>) => {
    const columns = placeholders(value, ['visit_id', 'config_document', 'discovery_document', 'nodeinfo_document']);
    return db
      .insertInto('latest_documents')
      .values({ domain_id: value('domain_id'), ...columns })
      .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(columns));
  });
  return (row) => {
    if ((row.config_document ?? row.discovery_document ?? row.nodeinfo_document) !== null) replace.run(row);
  };
}
