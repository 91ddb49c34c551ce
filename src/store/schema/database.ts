import type { ChangesTable } from './changes-table.ts';
import type { CorrectionsTable } from './corrections-table.ts';
import type { DocumentsTable } from './documents-table.ts';
import type { DomainSourcesTable } from './domain-sources-table.ts';
import type { DomainsTable } from './domains-table.ts';
import type { FactSetsTable } from './fact-sets-table.ts';
import type { FactsTable } from './facts-table.ts';
import type { LatestDocumentsTable } from './latest-documents-table.ts';
import type { NotesTable } from './notes-table.ts';
import type { OptOutsTable } from './opt-outs-table.ts';
import type { ReleasesTable } from './releases-table.ts';
import type { ReschedulesTable } from './reschedules-table.ts';
import type { RobotsTable } from './robots-table.ts';
import type { SourceAbsencesTable } from './source-absences-table.ts';
import type { SourceQueuesTable } from './source-queues-table.ts';
import type { SourceRunsTable } from './source-runs-table.ts';
import type { SourcesTable } from './sources-table.ts';
import type { UnaskedSourcesTable } from './unasked-sources-table.ts';
import type { UsageTable } from './usage-table.ts';
import type { VisitStepsTable } from './visit-steps-table.ts';
import type { VisitsTable } from './visits-table.ts';

/** All tables, as the newest migration leaves them. */
export interface Database {
  domains: DomainsTable;
  visits: VisitsTable;
  visit_steps: VisitStepsTable;
  facts: FactsTable;
  fact_sets: FactSetsTable;
  usage: UsageTable;
  changes: ChangesTable;
  documents: DocumentsTable;
  latest_documents: LatestDocumentsTable;
  robots: RobotsTable;
  notes: NotesTable;
  opt_outs: OptOutsTable;
  reschedules: ReschedulesTable;
  corrections: CorrectionsTable;
  releases: ReleasesTable;
  sources: SourcesTable;
  source_absences: SourceAbsencesTable;
  source_runs: SourceRunsTable;
  unasked_sources: UnaskedSourcesTable;
  domain_sources: DomainSourcesTable;
  source_queues: SourceQueuesTable;
}
