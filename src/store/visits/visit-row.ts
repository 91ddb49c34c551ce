import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { Step } from '../../model/step.ts';
import type { DocumentKind } from '../../model/visit.ts';
import type { VisitsTable } from '../schema/database.ts';
import type { Compiler } from '../sqlite/prepare.ts';
import type { StoredVisit } from '../store-reader.ts';
import { readFactSetText } from './facts-row.ts';
import { type CountedRow, selectedCounts, toUsage } from './usage.ts';

const Steps = z.array(Step);

type DocumentColumn = `${DocumentKind}_document`;
type SelectedColumn = Exclude<keyof VisitsTable, DocumentColumn | 'domain_id' | 'facts_id' | 'state' | 'next_visit'>;

const selectedColumns = [
  'visits.id',
  'visits.at',
  'visits.duration_ms',
  'visits.verdict',
  'visits.reason',
  'visits.via',
  'visits.software',
  'visits.version',
  'visits.alias_of',
  'visits.canonical_host',
] as const satisfies readonly `visits.${SelectedColumn}`[];

export interface VisitRow
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
export const selectVisits = (db: Compiler) =>
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
    .select([...selectedColumns, 'fact_sets.facts', 'visit_steps.steps', ...selectedCounts, 'usage.at as counted_at'])
    .select((row) => [
      row.fn.coalesce('visits.config_document', 'latest_documents.config_document').as('config_document'),
      row.fn.coalesce('visits.discovery_document', 'latest_documents.discovery_document').as('discovery_document'),
      row.fn.coalesce('visits.nodeinfo_document', 'latest_documents.nodeinfo_document').as('nodeinfo_document'),
    ]);

export function toStoredVisit(row: VisitRow, domain: Domain): StoredVisit {
  const documents: Partial<Record<DocumentKind, number>> = {};
  if (row.config_document !== null) documents.config = row.config_document;
  if (row.discovery_document !== null) documents.discovery = row.discovery_document;
  if (row.nodeinfo_document !== null) documents.nodeinfo = row.nodeinfo_document;
  return {
    id: row.id,
    domain,
    at: row.at,
    durationMs: row.duration_ms,
    verdict: row.verdict,
    reason: row.reason,
    via: row.via,
    software: row.software,
    version: row.version,
    aliasOf: row.alias_of,
    canonicalHost: row.canonical_host,
    facts: row.facts === null ? null : readFactSetText(row.facts, toUsage(row)),
    steps: row.steps === null ? null : (Steps.parse(JSON.parse(row.steps)) as Step[]),
    documents,
  };
}
