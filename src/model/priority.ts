import type { DomainRecord } from './domain-record.ts';
import { DAY_MS } from './time.ts';

/**
 * The priorities of due domains; a lower number is visited first. `first` and the new domains are ordered by their entry, `instance` and
 * `known` by their next visit.
 */
export const PRIORITY = {
  /** Before all others: domains whose visit was requested, up to a limit. */
  first: 0,
  /** A Loops instance: listed, or dead for less than {@link RECENTLY_DEAD_MS}. */
  instance: 1,
  /** New, and a source reports that it runs Loops. */
  reported: 2,
  new: 3,
  known: 4,
} as const;

export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

/** A dead instance is visited more often for this long. */
export const RECENTLY_DEAD_MS = 90 * DAY_MS;

/** The priority of a domain that was visited, at its next visit. Pure. */
export function priorityAfterVisit({ state, stateSince, identifiedAs, lastVisit }: DomainRecord): Priority {
  if (identifiedAs !== 'loops' || lastVisit === null) return PRIORITY.known;
  const isRecent = state === 'active' || state === 'failing' || lastVisit - stateSince < RECENTLY_DEAD_MS;
  return isRecent ? PRIORITY.instance : PRIORITY.known;
}
