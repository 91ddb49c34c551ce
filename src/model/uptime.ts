import { DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from './time.ts';

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

/** The longest period. */
export const UPTIME_MS = 30 * DAY_MS;

/** A visit may be late by this share of the planned wait, and at least by this time. */
const LATENESS = { share: 0.1, ms: 10 * MINUTE_MS };

/** The planned wait of a visit without a known next visit. */
const UNPLANNED_WAIT_MS = 12 * HOUR_MS;

/** Below this coverage, a share of the observed time means too little, and is null. */
export const MIN_COVERAGE = 0.5;

/** A visit as an observation of uptime. */
export interface UptimeVisit {
  at: EpochMs;
  /** Null when the visit says nothing about the host: the time after it is not observed. */
  isUp: boolean | null;
  /** The next visit it planned; null when unknown. */
  nextVisit: EpochMs | null;
}

/** A period in which a domain was up, or down. */
export interface UptimeSpell {
  from: EpochMs;
  to: EpochMs;
  isUp: boolean;
}

/**
 * The observed periods of a domain up to `at`, newest first. Each visit holds until the next one. Between two visits of different outcome
 * the change lies in the middle. The time between two visits is not observed if it is longer than the planned wait, or if the first of them
 * says nothing: a failure with no other failure next to it is not confirmed, and says nothing. Visits after `at` are ignored.
 *
 * @param visits newest first.
 */
export function* uptimeSpells(visits: Iterable<UptimeVisit>, at: number): Generator<UptimeSpell> {
  /** The end of the time for which the next older visit counts, and the outcome found there; null when it says nothing. */
  let [until, outcome]: [number, boolean | null] = [at, null];
  for (const { at: from, nextVisit, isUp } of confirmed(visits, at)) {
    const plannedMs = nextVisit === null ? UNPLANNED_WAIT_MS : nextVisit - from;
    const isPlanned = until - from <= plannedMs + Math.max(plannedMs * LATENESS.share, LATENESS.ms);
    if (isUp !== null && isPlanned) {
      const middle = outcome === null || outcome === isUp ? until : (from + until) / 2;
      if (middle < until) yield { from: middle, to: until, isUp: !isUp };
      yield { from, to: middle, isUp };
    }
    [until, outcome] = [from, isUp];
  }
}

/** The visits up to `at`; failures without another failure next to them say nothing. Visits that say nothing are skipped in finding the next. */
function* confirmed(visits: Iterable<UptimeVisit>, at: number): Generator<UptimeVisit> {
  let newer: boolean | null = null;
  /** A failure whose newer neighbour is no failure, and the visits after it that say nothing. */
  let held: UptimeVisit[] = [];
  for (const visit of visits) {
    if (visit.at > at) continue;
    const [failure] = held;
    if (failure !== undefined) {
      if (visit.isUp === null) {
        held.push(visit);
        continue;
      }
      if (visit.isUp) failure.isUp = null;
      yield* held;
      held = [];
    }
    if (visit.isUp === false && newer !== false) held.push({ ...visit });
    else yield visit;
    if (visit.isUp !== null) newer = visit.isUp;
  }
  for (const [index, visit] of held.entries()) yield index === 0 ? { ...visit, isUp: null } : visit;
}

/**
 * The uptime of a domain as of `at`; see {@link uptimeSpells}. Reads back at most to the second visit before the 30 days that says
 * something.
 *
 * @param visits newest first.
 */
export function uptimeOf(visits: Iterable<UptimeVisit>, at: EpochMs): Uptime {
  const day = createPeriod(at - DAY_MS);
  const week = createPeriod(at - 7 * DAY_MS);
  const month = createPeriod(at - UPTIME_MS);
  for (const spell of uptimeSpells(visits, at)) {
    for (const period of [day, week, month]) observe(period, spell);
    if (spell.from <= month.from) break;
  }
  return { day: windowOf(day, at), week: windowOf(week, at), month: windowOf(month, at) };
}

interface Period {
  readonly from: number;
  observedMs: number;
  upMs: number;
}

function createPeriod(from: number): Period {
  return { from, observedMs: 0, upMs: 0 };
}

function observe(period: Period, { from, to, isUp }: UptimeSpell): void {
  const ms = Math.max(0, to - Math.max(from, period.from));
  period.observedMs += ms;
  if (isUp) period.upMs += ms;
}

function windowOf({ from, observedMs, upMs }: Period, at: number): UptimeWindow {
  const coverage = observedMs / (at - from);
  return { share: coverage < MIN_COVERAGE ? null : upMs / observedMs, coverage };
}
