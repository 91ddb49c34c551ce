import semver from 'semver';
import type { EpochMs } from '../model/time.ts';
import { type DomainTotals, softwareOf } from './count-domains.ts';
import type { StatsHistory } from './history/stats-history.ts';
import { dayOfIso, startOfPeriod, stepOf } from './periods.ts';
import type { Measure, StatsRow } from './schema/stats-row.ts';
import type { Step } from './schema/timeline.ts';
import type { Snapshot } from './snapshot.ts';
import { statsOf } from './stats.ts';

/** The values of one measure at the end of a period or, in the last 30 days, of a day. */
export interface TrendPoint {
  /** The day (UTC) of the values: the last one of its period. */
  readonly date: string;
  /** By key, as in `stats.csv`. */
  readonly values: ReadonlyMap<StatsRow['key'], number | null>;
  /** Number of instances that report the measure. */
  readonly reporting: number;
  /** Number of all listed instances. */
  readonly total: number;
}

/** The statistics over time, with one point per period. */
export interface Trends {
  readonly at: EpochMs;
  readonly step: Step;
  /** Oldest first; the last one is today. All measures have the same dates. */
  readonly measures: ReadonlyMap<Measure, readonly TrendPoint[]>;
  /** The newest versions that spread (at least two instances ran the version on some day), newest first. */
  readonly uptake: readonly Uptake[];
}

/** How fast a version spread. For `since` and `daysToHalf`, an instance counts if it ran this version, or a newer one that spread. */
export interface Uptake {
  readonly version: string;
  /** The first day on which an instance ran it; null when one did on the first day of the history. */
  readonly since: string | null;
  /** Days from `since` until half of the instances with a known version ran it; null when they never did. */
  readonly daysToHalf: number | null;
  /** Instances that run it now, of those with a known version. */
  readonly instances: number;
  readonly reporting: number;
}

type TrendHistory = Pick<StatsHistory, 'at' | 'rows'>;
const trendsByHistory = new WeakMap<TrendHistory, Trends>();

/** The last days of a history are all points, so that a short range of it is more than a few. */
const DAILY = 30;
/** Before these last days, a point per month is enough. */
const RECENT = 400;

/** The trends in a history: of the values in `stats.csv`, those of the last day of each period, and of each of the last days. Computed once per history. */
export function trendsOf(history: TrendHistory): Trends {
  let trends = trendsByHistory.get(history);
  if (trends === undefined) {
    trends = readTrends(history);
    trendsByHistory.set(history, trends);
  }
  return trends;
}

function readTrends({ at, rows }: TrendHistory): Trends {
  const [first, last] = [rows[0]?.date, rows.at(-1)?.date];
  if (first === undefined || last === undefined) return { at, step: 'day', measures: new Map(), uptake: [] };
  const step = stepOf(dayOfIso(first), dayOfIso(last));
  const isShown = (date: string) => {
    const tomorrow = dayOfIso(date) + 1;
    return (
      tomorrow > dayOfIso(last) - DAILY + 1 ||
      startOfPeriod(tomorrow, tomorrow > dayOfIso(last) - RECENT ? step : 'month') === tomorrow
    );
  };
  const measures = new Map<Measure, TrendPoint[]>();
  let day = { date: '', isShown: false };
  for (const row of rows) {
    if (row.date !== day.date) day = { date: row.date, isShown: isShown(row.date) };
    if (day.isShown) add(measures, row);
  }
  return { at, step, measures, uptake: uptakeOf(rows) };
}

function add(measures: Map<Measure, TrendPoint[]>, { date, measure, key, value, reporting, total }: StatsRow): void {
  let points = measures.get(measure);
  if (points === undefined) {
    points = [];
    measures.set(measure, points);
  }
  const last = points.at(-1);
  if (last?.date === date) (last.values as Map<StatsRow['key'], number | null>).set(key, value);
  else points.push({ date, values: new Map([[key, value]]), reporting, total });
}

/** Maximum versions in `uptake`. */
const MAX_VERSIONS = 6;

function uptakeOf(rows: readonly StatsRow[]): Uptake[] {
  const isVersion = createVersionTest();
  const days = new Map<string, { counts: Map<string, number>; reporting: number }>();
  for (const { date, measure, key, value, reporting } of rows) {
    if (measure !== 'version') continue;
    const day = days.get(date) ?? { counts: new Map(), reporting };
    days.set(date, day);
    if (key !== null && value !== null && isVersion(key)) day.counts.set(key, value);
  }
  const history = [...days];
  const [, today = null] = history.at(-1) ?? [];
  if (today === null) return [];
  const versions = new Set(history.flatMap(([, { counts }]) => [...counts.keys()]));
  const newestFirst = [...versions].sort((one, other) => semver.rcompare(one, other, { loose: true }));
  const spread = newestFirst.filter((version) => isCommon(version, history));
  return spread.slice(0, MAX_VERSIONS).map((version) => {
    const sameOrNewer = new Set(spread.slice(0, spread.indexOf(version) + 1));
    const running = (counts: ReadonlyMap<string, number>) =>
      [...counts].reduce((sum, [name, instances]) => sum + (sameOrNewer.has(name) ? instances : 0), 0);
    const start = history.findIndex(([, { counts }]) => running(counts) > 0);
    const half = history.findIndex(([, { counts, reporting }]) => reporting > 0 && running(counts) * 2 >= reporting);
    const since = start <= 0 ? null : (history[start]?.[0] ?? null);
    const reached = history[half]?.[0];
    return {
      version,
      since,
      daysToHalf: since === null || reached === undefined ? null : dayOfIso(reached) - dayOfIso(since),
      instances: today.counts.get(version) ?? 0,
      reporting: today.reporting,
    };
  });
}

/** Tests each version once, because the same few versions are reported every day. */
function createVersionTest(): (key: string) => boolean {
  const cache = new Map<string, boolean>();
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const isValid = semver.valid(key, { loose: true }) !== null;
    cache.set(key, isValid);
    return isValid;
  };
}

/** Whether at least two instances ran a version on some day: a single server can claim any version. */
function isCommon(version: string, history: readonly [string, { counts: ReadonlyMap<string, number> }][]): boolean {
  return history.some(([, { counts }]) => (counts.get(version) ?? 0) >= 2);
}

/** The statistics of now and over time. */
export interface TrendsView {
  readonly trends: Trends;
  /** As in `/api/v1/stats`. */
  readonly stats: ReturnType<typeof statsOf>;
  /** As in `/api/v1/software`. */
  readonly software: ReturnType<typeof softwareOf>;
}

interface Inputs {
  readonly snapshot: Snapshot;
  readonly domainTotals: DomainTotals;
  readonly history: StatsHistory;
}

export function trendsViewOf({ snapshot, domainTotals, history }: Inputs): TrendsView {
  return { trends: trendsOf(history), stats: statsOf(snapshot, domainTotals), software: softwareOf(domainTotals) };
}
