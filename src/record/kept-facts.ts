import type { InstanceFacts } from './instance.ts';

/** A fact that has an age of its own: the path of a leaf of {@link InstanceFacts}; counts go together as `usage`. */
export type FactPath = string;

/** What is kept of an instance. A fact that a visit could not ask for stays, and so does the time it was last read: stale is not fresh. */
export interface KeptFacts {
  facts: InstanceFacts;
  /** When each known fact was last read, milliseconds since the epoch; what is unknown is not in it. */
  readAt: Readonly<Record<FactPath, number>>;
  /** Start of the last visit that found the instance, milliseconds since the epoch. */
  checkedAt: number;
}
