import type { Generated } from 'kysely';
import type { RunOutcome } from '../../model/run-outcome.ts';

/** Every reading of a source. */
export interface SourceRunsTable {
  /** Ascending in the order in which they were begun, and never used twice. */
  id: Generated<number>;
  source_id: number;
  /** Epoch milliseconds. */
  begun_at: number;
  /** Of a broken one, when that was found; null while it is under way, as is `outcome`. */
  ended_at: number | null;
  outcome: RunOutcome | null;
  /** Who reads it: an owner of leases. */
  owner: string;
  /** So long nobody else reads the source, epoch milliseconds; a reading does not last longer. */
  claimed_until: number;
  why: string | null;
  etag: string | null;
  last_modified: string | null;
  requests: Generated<number>;
  bytes: Generated<number>;
  lines: Generated<number>;
  entered: Generated<number>;
  known: Generated<number>;
  queue_full: Generated<number>;
  capped_by_domain: Generated<number>;
  opted_out: Generated<number>;
  merged: Generated<number>;
  refused: Generated<number>;
  /** Counts by reason, as JSON. */
  refused_by_reason: Generated<string>;
}
