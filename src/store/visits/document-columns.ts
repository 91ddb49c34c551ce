import type { DocumentKind } from '../../model/visit.ts';

/** The columns that refer to documents, of `visits` and `latest_documents`. */
export const documentColumns = [
  'config_document',
  'discovery_document',
  'nodeinfo_document',
] as const satisfies readonly `${DocumentKind}_document`[];

/** The documents that rows refer to; null where there is none. */
export function documentsOf(rows: readonly Record<(typeof documentColumns)[number], number | null>[]) {
  return rows.flatMap((row) => documentColumns.map((column) => row[column]));
}
