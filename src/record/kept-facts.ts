import type { InstanceFacts } from './facts/instance-facts.ts';

/** What is kept of an instance. A fact that a visit could not ask for stays, and so does the time it was last read: stale is not fresh. */
export interface KeptFacts {
  facts: InstanceFacts;
  /** When each known fact was last read, by its `ageKey`, milliseconds since the epoch; what is unknown is not in it. */
  readAt: Readonly<Record<string, number>>;
  /** Start of the last visit that found the instance, milliseconds since the epoch. */
  checkedAt: number;
}
