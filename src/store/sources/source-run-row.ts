import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { SourceRunsTable } from '../schema/tables.ts';
import type { SourceRun } from './source-state.ts';

/** The counts of a run; 0 at its beginning. */
export const runCounts = [
  'requests',
  'bytes',
  'lines',
  'entered',
  'known',
  'queue_full',
  'capped_by_domain',
  'opted_out',
  'merged',
  'refused',
] as const satisfies readonly (keyof SourceRunsTable)[];

/** The columns of `source_runs` that are read. */
export const runColumns = [
  'id',
  'begun_at',
  'ended_at',
  'outcome',
  'why',
  'etag',
  'last_modified',
  ...runCounts,
  'refused_by_reason',
] as const satisfies readonly (keyof SourceRunsTable)[];

export type RunRow = Pick<Selectable<SourceRunsTable>, (typeof runColumns)[number]>;

/** The `why` of a run whose process ended before the run did. */
export const UNENDED_WHY = 'the process that read the source ended before the run did';

const Counts = z.record(z.string(), z.number());

export function toSourceRun(row: RunRow): SourceRun {
  return {
    id: row.id,
    begunAt: row.begun_at,
    endedAt: row.ended_at,
    outcome: row.outcome,
    why: row.why,
    requests: row.requests,
    bytes: row.bytes,
    lines: row.lines,
    entered: row.entered,
    known: row.known,
    queueFull: row.queue_full,
    cappedByDomain: row.capped_by_domain,
    optedOut: row.opted_out,
    merged: row.merged,
    refused: row.refused,
    refusedByReason: Counts.parse(JSON.parse(row.refused_by_reason)),
  };
}
