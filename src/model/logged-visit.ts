import type { Domain } from './domain/domain.ts';
import type { DomainState } from './domain-state.ts';
import type { Visit } from './visit.ts';

/** A visit as the log has it: what it said, corrected or not, and what it set of its domain when it was recorded. */
export interface LoggedVisit
  extends Pick<
    Visit,
    'at' | 'durationMs' | 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf' | 'facts' | 'retryAfterMs'
  > {
  /** Null when they are no longer kept. */
  readonly steps: Visit['steps'] | null;
  /** Milliseconds since the epoch, as is `nextVisit`, which is null when never due. */
  readonly recordedAt: number;
  readonly pointsTo: Domain | null;
  readonly state: DomainState;
  readonly nextVisit: number | null;
  readonly noindex: boolean | null;
}
