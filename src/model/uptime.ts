/** The uptime of a domain over a period that ends now. */
export interface UptimeWindow {
  /** Share of the observed time that the domain was up, 0 to 1; null when too little was observed. */
  share: number | null;
  /** Share of the period that was observed, 0 to 1. */
  coverage: number;
}

/** Uptime over the last 24 hours, 7 days and 30 days. */
export interface Uptime {
  day: UptimeWindow;
  week: UptimeWindow;
  month: UptimeWindow;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest period. */
export const UPTIME_MS = 30 * DAY_MS;

/** A visit may be late by this share of the planned wait. */
const LATENESS = 0.1;

/** The longest time for which one visit counts: short for a domain that was up, because it may go down at any time; long for one that was down, because its visits become ever rarer. */
const MAX_VALID_MS = { up: 2 * DAY_MS, down: 30 * DAY_MS };

/** How long a visit without a known next visit is valid. */
const UNPLANNED_VALID_MS = 12 * HOUR_MS;

/** Below this coverage, a share of the observed time means too little, and is null. */
export const MIN_COVERAGE = 0.5;

/** A visit as an observation of uptime. Times are milliseconds since the epoch. */
export interface UptimeVisit {
  at: number;
  /** Null when inconclusive: the time after it is not observed. */
  isUp: boolean | null;
  /** The next visit it planned; null when unknown. */
  nextVisit: number | null;
}

/**
 * The uptime of a domain as of `at` (milliseconds since the epoch). A visit is valid from its start until the next one, but at most for
 * 1.1 times the planned wait (12 hours if unknown), and at most two days when it succeeded or thirty when it failed. Time without a valid
 * visit is neither up nor down. Visits after `at` are ignored. Reads back at most to the last visit before the 30 days.
 *
 * @param visits newest first.
 */
export function uptimeOf(visits: Iterable<UptimeVisit>, at: number): Uptime {
  const day = createPeriod(at - DAY_MS);
  const week = createPeriod(at - 7 * DAY_MS);
  const month = createPeriod(at - UPTIME_MS);
  let next = at;
  for (const visit of visits) {
    if (visit.at > next) continue;
    const until = validUntil(visit, next);
    next = visit.at;
    if (visit.isUp !== null) for (const period of [day, week, month]) observe(period, visit.at, until, visit.isUp);
    if (visit.at <= month.from) break;
  }
  return { day: windowOf(day, at), week: windowOf(week, at), month: windowOf(month, at) };
}

/** The end of the time for which a visit counts. @param next start of the next visit, or the present. */
export function validUntil(visit: UptimeVisit, next: number): number {
  return Math.min(next, visit.at + validMs(visit));
}

function validMs({ at, isUp, nextVisit }: UptimeVisit): number {
  if (nextVisit === null) return UNPLANNED_VALID_MS;
  return Math.min((nextVisit - at) * (1 + LATENESS), isUp === true ? MAX_VALID_MS.up : MAX_VALID_MS.down);
}

interface Period {
  readonly from: number;
  observedMs: number;
  upMs: number;
}

function createPeriod(from: number): Period {
  return { from, observedMs: 0, upMs: 0 };
}

function observe(period: Period, from: number, until: number, isUp: boolean): void {
  const ms = Math.max(0, until - Math.max(from, period.from));
  period.observedMs += ms;
  if (isUp) period.upMs += ms;
}

function windowOf({ from, observedMs, upMs }: Period, at: number): UptimeWindow {
  const coverage = observedMs / (at - from);
  return { share: coverage < MIN_COVERAGE ? null : upMs / observedMs, coverage };
}
