import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { SourceRunsTable } from '../schema/database.ts';
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
  'owner',
  'why',
  'etag',
  'last_modified',
  ...runCounts,
  'refused_by_reason',
] as const satisfies readonly (keyof SourceRunsTable)[];

export type RunRow = Pick<Selectable<SourceRunsTable>, (typeof runColumns)[number]>;

/** The `why` of a run whose process died. */
export const DEAD_PROCESS_WHY = 'the process that read the source died';

const Counts = z.record(z.string(), z.number());

/** @param isDead whether an owner has died: its runs in progress are broken, even before that is stored. */
export function toSourceRun(row: RunRow, isDead: (owner: string) => boolean): SourceRun {
  const isBroken = row.outcome === null && isDead(row.owner);
  return {
    id: row.id,
    begunAt: row.begun_at,
    endedAt: row.ended_at,
    outcome: isBroken ? 'broken' : row.outcome,
    why: isBroken ? DEAD_PROCESS_WHY : row.why,
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
