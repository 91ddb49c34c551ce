import { createHistogram } from 'node:perf_hooks';
import type { Logger } from '../logger.ts';
import type { Visit } from '../model/visit.ts';
import { failureClassOf } from '../schedule/cadence.ts';
import { StoreError, type StoreErrorCode } from '../store/sqlite/store-error.ts';
import type { Backlog } from '../store/store-reader.ts';

/** What the crawl is doing. */
export type CrawlPhase = 'idle' | 'crawling' | 'offline' | 'stopping';

/** How the crawler itself is, as opposed to the hosts that it visits. Times are ISO 8601, in UTC. */
export interface Health {
  /** `degraded`: something that is asked of others cannot be had; `failing`: something of ours does not work. */
  status: 'ok' | 'degraded' | 'failing';
  /** What does not work, one sentence each. */
  problems: string[];
  version: string;
  startedAt: string;
  crawl: { phase: CrawlPhase; offlineSince: string | null };
  /** What is due, and for how many seconds the first of it has been; null when nothing is. */
  backlog: Record<keyof Backlog, { due: number; lateSeconds: number | null }>;
  /** Visits of the last hour, or since the start. */
  visits: {
    total: number;
    byVerdict: Record<string, number>;
    /** Of the unreachable hosts, by class of failure, as a share of all visits. */
    failureRates: Record<string, number>;
  };
  /** How long the event loop was held up since the last reading, in milliseconds. */
  eventLoop: { p99Ms: number; maxMs: number };
  export: { lastAt: string | null };
  compaction: { lastAt: string | null };
  memory: { rssBytes: number; heapUsedBytes: number };
}

/** A part of the service that can fail and work again. */
export type Part = 'crawl' | 'export' | 'compaction' | 'sources' | 'opt-out' | 'release' | 'database';

/** What others have to provide: that it is missing makes nobody restart the service. */
const OF_OTHERS: ReadonlySet<Part> = new Set(['sources', 'release']);

/** Gathers {@link Health}, and logs each failure and recovery once. */
export interface HealthRecord extends Disposable {
  addVisit(visit: Pick<Visit, 'verdict' | 'reason'>): void;
  /** Records and logs the problem of a part; a part that fails again with the same message is not logged again. */
  failed(part: Part, error: unknown): void;
  /** Clears the problem of a part, if it has one. */
  works(part: Part): void;
  hasFailed(part: Part): boolean;
  /** Resolves with an error that no later attempt can cure; never otherwise. */
  readonly fatal: Promise<Error>;
  setPhase(phase: CrawlPhase): void;
  exported(): void;
  compacted(): void;
  read(backlog: Backlog | null): Health;
}

const FATAL: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>(['corrupt', 'moved', 'not-a-database']);

/** A timer that is due so often shows how late timers are. */
const BEAT_MS = 100;
/** Visits are counted in slices of this, so that the last hour takes a fixed number of them. */
const SLICE_MS = 60_000;
const SLICES = 60;

interface Slice {
  /** On the monotonic clock, in whole slices. */
  number: number;
  byVerdict: Map<string, number>;
  byFailure: Map<string, number>;
}

/**
 * @param now milliseconds since the epoch.
 * @param clock monotonic, in milliseconds.
 */
export function createHealthRecord(options: {
  version: string;
  logger: Pick<Logger, 'info' | 'error'>;
  now: () => number;
  clock: () => number;
}): HealthRecord {
  const { version, logger, now, clock } = options;
  const delay = createHistogram();
  let dueAt = clock() + BEAT_MS;
  const beat = setInterval(() => {
    delay.record(Math.max(1, Math.round(clock() - dueAt)));
    dueAt = clock() + BEAT_MS;
  }, BEAT_MS);
  beat.unref();
  const startedAt = isoTime(now());
  const problems = new Map<Part, string>();
  const fatal = Promise.withResolvers<Error>();
  const slices: Slice[] = [];
  let phase: CrawlPhase = 'idle';
  let offlineSince: string | null = null;
  let exportedAt: string | null = null;
  let compactedAt: string | null = null;

  /** The slice of now, once those that are over an hour old have gone. */
  function slice(): Slice {
    const number = Math.floor(clock() / SLICE_MS);
    while (slices[0] !== undefined && slices[0].number <= number - SLICES) slices.shift();
    const last = slices.at(-1);
    if (last?.number === number) return last;
    const next: Slice = { number, byVerdict: new Map(), byFailure: new Map() };
    slices.push(next);
    return next;
  }

  return {
    addVisit({ verdict, reason }) {
      const { byVerdict, byFailure } = slice();
      increment(byVerdict, verdict, 1);
      if (verdict === 'unreachable') increment(byFailure, failureClassOf(reason), 1);
    },

    failed(part, error) {
      const problem = error instanceof Error ? error.message : String(error);
      if (problems.get(part) !== problem) logger.error({ err: error, part }, problem);
      problems.set(part, problem);
      if (error instanceof StoreError && FATAL.has(error.code)) fatal.resolve(error);
    },

    works(part) {
      if (problems.delete(part)) logger.info({ part }, `${part} works again`);
    },

    hasFailed: (part) => problems.has(part),

    fatal: fatal.promise,

    setPhase(next) {
      if (next === 'offline') offlineSince ??= isoTime(now());
      else if (next !== 'stopping') offlineSince = null;
      phase = next;
    },

    exported() {
      exportedAt = isoTime(now());
    },

    compacted() {
      compactedAt = isoTime(now());
    },

    read(backlog) {
      slice();
      const byVerdict = new Map<string, number>();
      const byFailure = new Map<string, number>();
      for (const one of slices) {
        for (const [name, count] of one.byVerdict) increment(byVerdict, name, count);
        for (const [name, count] of one.byFailure) increment(byFailure, name, count);
      }
      const total = [...byVerdict.values()].reduce((sum, count) => sum + count, 0);
      const isMeasured = delay.count > 0;
      const eventLoop = { p99Ms: isMeasured ? delay.percentile(99) : 0, maxMs: isMeasured ? delay.max : 0 };
      delay.reset();
      const { rss, heapUsed } = process.memoryUsage();
      return {
        status: statusOf([...problems.keys()]),
        problems: [...problems.values()],
        version,
        startedAt,
        crawl: { phase, offlineSince },
        backlog: lateness(backlog, now()),
        visits: {
          total,
          byVerdict: Object.fromEntries(byVerdict),
          failureRates: Object.fromEntries([...byFailure].map(([name, count]) => [name, rounded(count / total)])),
        },
        eventLoop,
        export: { lastAt: exportedAt },
        compaction: { lastAt: compactedAt },
        memory: { rssBytes: rss, heapUsedBytes: heapUsed },
      };
    },

    [Symbol.dispose]() {
      clearInterval(beat);
    },
  };
}

function statusOf(problems: readonly Part[]): Health['status'] {
  if (problems.length === 0) return 'ok';
  return problems.every((part) => OF_OTHERS.has(part)) ? 'degraded' : 'failing';
}

const NOTHING_DUE = { due: 0, oldest: null };
const EMPTY: Backlog = { live: NOTHING_DUE, new: NOTHING_DUE, known: NOTHING_DUE, dead: NOTHING_DUE };

function lateness(backlog: Backlog | null, at: number): Health['backlog'] {
  const { live, new: fresh, known, dead } = backlog ?? EMPTY;
  const line = ({ due, oldest }: Backlog[keyof Backlog]) => ({
    due,
    lateSeconds: oldest === null ? null : Math.max(0, Math.round((at - oldest) / 1_000)),
  });
  return { live: line(live), new: line(fresh), known: line(known), dead: line(dead) };
}

function increment(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
