import type { Domain } from './domain/domain.ts';
import type { DomainState } from './domain-state.ts';
import type { InstanceFlag } from './facts/instance-flag.ts';
import type { Visit } from './visit.ts';

/** What one visit decided, as it is published: without the requests it made and the documents it received. */
export interface VisitOutcome
  extends Pick<Visit, 'at' | 'durationMs' | 'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf'> {
  /** Ascending in the order of recording. */
  id: number;
  domain: Domain;
  /** Of the domain after the visit; null of visits from before it was recorded. */
  state: DomainState | null;
  /** Of what the visit read; null unless the verdict is `loops`. */
  flags: readonly InstanceFlag[] | null;
}
