import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Domain } from '../domain/domain.ts';
import { InstanceFacts } from '../record/instance.ts';
import { Step } from '../record/step.ts';
import type { DocumentKind } from '../record/visit.ts';
import type { VisitsTable } from './schema/visits-table.ts';
import type { StoredVisit } from './store-reader.ts';

const Steps = z.array(Step);

export function toStoredVisit(row: Selectable<VisitsTable>, domain: Domain): StoredVisit {
  const documents: Partial<Record<DocumentKind, number>> = {};
  if (row.config_document !== null) documents.config = row.config_document;
  if (row.discovery_document !== null) documents.discovery = row.discovery_document;
  if (row.nodeinfo_document !== null) documents.nodeinfo = row.nodeinfo_document;
  return {
    domain,
    at: row.at,
    durationMs: row.duration_ms,
    verdict: row.verdict,
    reason: row.reason,
    via: row.via,
    software: row.software,
    version: row.version,
    aliasOf: row.alias_of,
    facts: row.facts === null ? null : toFacts(row.facts),
    steps: Steps.parse(JSON.parse(row.steps)) as Step[],
    documents,
    retryAfterMs: row.retry_after_ms,
  };
}

/** Reads a column that holds InstanceFacts as JSON. */
export function toFacts(json: string): InstanceFacts {
  return InstanceFacts.parse(JSON.parse(json));
}
