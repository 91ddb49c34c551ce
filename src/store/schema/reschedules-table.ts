import type { Generated } from 'kysely';
import type { DomainState } from '../../model/domain-state.ts';

/** What moved the next visit of a domain other than a visit: a request by name, a lost lease, a repaired clock, a replay. */
export type RescheduleCause = 'requested' | 'added' | 'lost-lease' | 'deferred' | 'clock' | 'replay';

/** The log of a domain beside its visits. Times are epoch milliseconds. */
export interface ReschedulesTable {
  id: Generated<number>;
  domain_id: number;
  at: number;
  /** The last visit, of any domain, that had been recorded by then; 0 when none had. */
  after_visit_id: number;
  cause: RescheduleCause;
  /** Both of the domain afterwards. */
  state: DomainState;
  next_visit: number | null;
}
