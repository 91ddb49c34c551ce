import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { Step } from '../../model/step.ts';
import type { DocumentKind } from '../../model/visit.ts';
import type { StoredVisit } from '../records.ts';
import type { VisitsTable } from '../schema/tables.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { readFactSetText } from './facts-row.ts';
import { type CountedRow, selectedCounts, toUsage } from './usage.ts';

export const Steps = z.array(Step);

type DocumentColumn = `${DocumentKind}_document`;
type SelectedColumn = Exclude<keyof VisitsTable, DocumentColumn | 'domain_id' | 'facts_id' | 'state' | 'next_visit'>;

/** The columns that {@link toOutcome} reads. */
export const outcomeColumns = [
  'visits.at',
  'visits.duration_ms',
  'visits.verdict',
  'visits.reason',
  'visits.via',
  'visits.software',
  'visits.version',
  'visits.alias_of',
] as const satisfies readonly `visits.${SelectedColumn}`[];

type OutcomeRow = Pick<
  Selectable<VisitsTable>,
  'at' | 'duration_ms' | 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'alias_of'
>;

export function toOutcome(row: OutcomeRow) {
  return {
    at: row.at,
    durationMs: row.duration_ms,
    verdict: row.verdict,
    reason: row.reason,
    via: row.via,
    software: row.software,
    version: row.version,
    aliasOf: row.alias_of,
  };
}

interface VisitRow
  extends Pick<Selectable<VisitsTable>, SelectedColumn>,
    Record<DocumentColumn, number | null>,
    CountedRow {
  facts: string | null;
  steps: string | null;
}

/**
 * Visits with their facts, counts, steps and documents. Documents come from `visits`, or from `latest_documents` for the domain's latest
 * visit that had documents.
 */
const selectVisits = (db: Compiler) =>
  db
    .selectFrom('visits')
    .leftJoin('fact_sets', 'fact_sets.id', 'visits.facts_id')
    .leftJoin('visit_steps', 'visit_steps.visit_id', 'visits.id')
    .leftJoin('usage', (join) =>
      join
        .onRef('usage.domain_id', '=', 'visits.domain_id')
        .onRef('usage.at', '=', 'visits.at')
        .onRef('usage.visit_id', '=', 'visits.id'),
    )
    .leftJoin('latest_documents', (join) =>
      join
        .onRef('latest_documents.domain_id', '=', 'visits.domain_id')
        .onRef('latest_documents.visit_id', '=', 'visits.id'),
    )
    .select([
      'visits.id',
      ...outcomeColumns,
      'visits.canonical_host',
      'fact_sets.facts',
      'visit_steps.steps',
      ...selectedCounts,
      'usage.at as counted_at',
    ])
    .select((row) => [
      row.fn.coalesce('visits.config_document', 'latest_documents.config_document').as('config_document'),
      row.fn.coalesce('visits.discovery_document', 'latest_documents.discovery_document').as('discovery_document'),
      row.fn.coalesce('visits.nodeinfo_document', 'latest_documents.nodeinfo_document').as('nodeinfo_document'),
    ]);

/** The visits of a domain, newest first. */
export const selectVisitsOf = (db: Compiler, parameter: QueryParameter<{ domain: Domain }>) =>
  selectVisits(db)
    .where('visits.domain_id', '=', (row) =>
      row.selectFrom('domains').select('id').where('domain', '=', parameter('domain')),
    )
    .orderBy('visits.at', 'desc')
    .orderBy('visits.id', 'desc');

/** The next domain whose documents are stored. */
export const selectNextDocumented = (db: Compiler, parameter: QueryParameter<{ after: number }>) =>
  db
    .selectFrom('latest_documents')
    // A cross join forces SQLite to scan `latest_documents` first.
    .crossJoin('domains')
    .whereRef('domains.id', '=', 'latest_documents.domain_id')
    .where('latest_documents.domain_id', '>', parameter('after'))
    .select(['domains.id', 'domains.domain'])
    .orderBy('latest_documents.domain_id')
    .limit(sql.lit(1));

/** The visits of a domain whose documents are stored, oldest first. */
export const selectVisitsWithDocuments = (db: Compiler, parameter: QueryParameter<{ id: number }>) =>
  selectVisits(db)
    .where('visits.domain_id', '=', parameter('id'))
    .where(
      sql<boolean>`coalesce(
        latest_documents.visit_id, visits.config_document, visits.discovery_document, visits.nodeinfo_document
      ) is not null`,
    )
    .orderBy('visits.at')
    .orderBy('visits.id');

export function toStoredVisit(row: VisitRow, domain: Domain): StoredVisit {
  const documents: Partial<Record<DocumentKind, number>> = {};
  if (row.config_document !== null) documents.config = row.config_document;
  if (row.discovery_document !== null) documents.discovery = row.discovery_document;
  if (row.nodeinfo_document !== null) documents.nodeinfo = row.nodeinfo_document;
  return {
    id: row.id,
    domain,
    ...toOutcome(row),
    canonicalHost: row.canonical_host,
    facts: row.facts === null ? null : readFactSetText(row.facts, toUsage(row)),
    steps: row.steps === null ? null : (Steps.parse(JSON.parse(row.steps)) as Step[]),
    documents,
  };
}
