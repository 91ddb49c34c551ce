import type { Domain } from '../../domain/domain.ts';
import type { Reason } from '../../record/reason.ts';
import type { Verdict, Via } from '../../record/verdict.ts';

/** What a visit had decided before a replay decided otherwise. */
export interface RevisedVisitsTable {
  visit_id: number;
  /** Until then it stood, epoch milliseconds. */
  revised_at: number;
  domain_id: number;
  verdict: Verdict;
  reason: Reason;
  via: Via | null;
  software: string | null;
  version: string | null;
  alias_of: Domain | null;
  /** Of `fact_sets`. */
  facts_id: number | null;
  kept_facts_id: number | null;
  /** The counts; all null when it read none. */
  users: number | null;
  active_month: number | null;
  active_halfyear: number | null;
  posts: number | null;
}
