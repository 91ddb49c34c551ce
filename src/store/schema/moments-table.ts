import type { Generated } from 'kysely';
import type { Domain } from '../../domain/domain.ts';
import type { Conclusive } from '../../record/domain-record.ts';
import type { DomainState } from '../../record/domain-state.ts';
import type { Reason } from '../../record/reason.ts';
import type { Verdict, Via } from '../../record/verdict.ts';

/** What is published of a domain after something other than a visit moved it: asked for by name, a lost lease, a replay, a clock put right. */
export interface MomentsTable {
  id: Generated<number>;
  domain_id: number;
  /** When it was moved, epoch milliseconds. */
  at: number;
  /** The last visit, of any domain, that had been recorded by then; 0 when none had. */
  after_visit_id: number;
  state: DomainState;
  verdict: Verdict | null;
  reason: Reason | null;
  conclusive: Conclusive | null;
  via: Via | null;
  software: string | null;
  version: string | null;
  alias_of: Domain | null;
  last_visit: number | null;
  last_seen: number | null;
  next_visit: number | null;
  /** 0, 1, or null when unknown. */
  noindex: number | null;
  points_to: Domain | null;
}
