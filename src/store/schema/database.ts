import type { DocumentsTable } from './documents-table.ts';
import type { DomainsTable } from './domains-table.ts';
import type { FactsTable } from './facts-table.ts';
import type { RobotsTable } from './robots-table.ts';
import type { VisitsTable } from './visits-table.ts';

/** All tables, as the newest migration leaves them. */
export interface Database {
  domains: DomainsTable;
  visits: VisitsTable;
  facts: FactsTable;
  documents: DocumentsTable;
  robots: RobotsTable;
}
