import type { Generated } from 'kysely';
import type { Domain } from '../../domain/domain.ts';
import type { Reason } from '../../record/reason.ts';
import type { Verdict, Via } from '../../record/verdict.ts';

/** Every completed visit and what it decided; a row exists exactly when the visit is completed. */
export interface VisitsTable {
  /** Ascending in the order of recording. */
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
  /** InstanceFacts as JSON. */
  facts: string | null;
  /** A list of Step as JSON. */
  steps: string;
  config_document: number | null;
  discovery_document: number | null;
  nodeinfo_document: number | null;
}
