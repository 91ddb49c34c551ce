import type { Generated } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainState } from '../../model/domain-state.ts';
import type { Reason } from '../../model/reason.ts';
import type { Verdict, Via } from '../../model/verdict.ts';

/** Every completed visit and what it decided; a row exists exactly when the visit is completed. */
export interface VisitsTable {
  /** Ascending in the order of recording, and never used twice. */
  id: Generated<number>;
  domain_id: number;
  /** Start, epoch milliseconds. */
  at: number;
  duration_ms: number;
  verdict: Verdict;
  reason: Reason;
  via: Via | null;
  software: string | null;
  version: string | null;
  alias_of: Domain | null;
  retry_after_ms: number | null;
  /** Where an instance says that it is; null of everything but `loops`. */
  points_to: Domain | null;
  /** Of the domain after the visit. */
  state: DomainState;
  /** As it was set by the visit, epoch milliseconds; null when never due. */
  next_visit: number | null;
  /** What the visit read, of `fact_sets`. */
  facts_id: number | null;
  /** What was kept of the instance from this visit on, of `fact_sets`; null when the visit found none. */
  kept_facts_id: number | null;
  /** Documents: null when there was none, or it is no longer kept with the visit. */
  config_document: number | null;
  discovery_document: number | null;
  nodeinfo_document: number | null;
  /** From its start until it was recorded, milliseconds. */
  recorded_ms: number;
  /** Of the domain after the visit: null when it is the start of this visit, 0 when the domain was never seen. */
  last_seen: number | null;
  /** Of the domain after the visit: 0, 1, or null when unknown. */
  noindex: number | null;
}
