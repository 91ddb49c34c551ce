/** Of one stretch of time up to now: how much of it was watched, and how much of that the domain was up. */
export interface UptimeWindow {
  /** 0 to 1, of the time that was watched; null when too little was. */
  share: number | null;
  /** The part of the stretch that visits vouch for, 0 to 1. */
  coverage: number;
}

/** Of the last 24 hours, 7 days and 30 days. */
export interface Uptime {
  day: UptimeWindow;
  week: UptimeWindow;
  month: UptimeWindow;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest stretch that uptime is told of. */
export const UPTIME_MS = 30 * DAY_MS;

/** A visit that was to be made at a time may be late by this part of the wait for it, and is not missed yet. */
const LATE = 0.1;

/** Whoever was up may go down at any time; who was down is asked ever more rarely, and each wait is planned. */
const LONGEST_MS = { up: 2 * DAY_MS, down: 30 * DAY_MS };

/** For this long vouches a visit of which it is not known when the next one was to be. */
const UNPLANNED_MS = 12 * HOUR_MS;

/** Where less than this part of a stretch was watched, no share is told. */
const LEAST_COVERAGE = 0.5;

/** What a visit tells of how often a domain was up; times in milliseconds since the epoch. */
export interface WatchedVisit {
  at: number;
  /** Null: it says nothing, and the time after it is not watched. */
  isUp: boolean | null;
  /** When the next one was planned by it; null when that is not known. */
  nextVisit: number | null;
}

/**
 * How often a domain was up, as of `at` (milliseconds since the epoch). A visit vouches for the time from its start until the next
 * one, but no longer than until a tenth of the planned wait after the time that was planned for that; at most two days when it
 * succeeded, thirty when it failed. What no visit vouches for is neither up nor down. Visits after `at` are passed over. Reads no
 * further back than to the last visit before the 30 days. Pure.
 *
 * @param visits newest first.
 */
export function uptimeOf(visits: Iterable<WatchedVisit>, at: number): Uptime {
  const day = createStretch(at - DAY_MS);
  const week = createStretch(at - 7 * DAY_MS);
  const month = createStretch(at - UPTIME_MS);
  let next = at;
  for (const visit of visits) {
    if (visit.at > next) continue;
    const until = Math.min(next, visit.at + vouchedMs(visit));
    next = visit.at;
    if (visit.isUp !== null) for (const stretch of [day, week, month]) watch(stretch, visit.at, until, visit.isUp);
    if (visit.at <= month.from) break;
  }
  return { day: windowOf(day, at), week: windowOf(week, at), month: windowOf(month, at) };
}

function vouchedMs({ at, isUp, nextVisit }: WatchedVisit): number {
  if (nextVisit === null) return UNPLANNED_MS;
  return Math.min((nextVisit - at) * (1 + LATE), isUp === true ? LONGEST_MS.up : LONGEST_MS.down);
}

interface Stretch {
  readonly from: number;
  watchedMs: number;
  upMs: number;
}

function createStretch(from: number): Stretch {
  return { from, watchedMs: 0, upMs: 0 };
}

function watch(stretch: Stretch, from: number, until: number, isUp: boolean): void {
  const ms = Math.max(0, until - Math.max(from, stretch.from));
  stretch.watchedMs += ms;
  if (isUp) stretch.upMs += ms;
}

function windowOf({ from, watchedMs, upMs }: Stretch, at: number): UptimeWindow {
  const coverage = watchedMs / (at - from);
  return { share: coverage < LEAST_COVERAGE ? null : upMs / watchedMs, coverage };
}
