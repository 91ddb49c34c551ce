import { createHistogram } from 'node:perf_hooks';
import { failureClassOf } from '../crawl/schedule/cadence.ts';
import type { Worker } from '../directory/worker.ts';
import type { Logger } from '../logger.ts';
import type { Domain } from '../model/domain/domain.ts';
import { type Clock, type EpochMs, isoTime, MINUTE_MS } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import type { Backlog } from '../store/domains/known-domains.ts';
import { StoreError, type StoreErrorCode } from '../store/sqlite/store-error.ts';

export type CrawlPhase = 'idle' | 'crawling' | 'offline' | 'stopping';

/** The health of the crawler itself, not of the hosts that it visits. Times are ISO 8601, in UTC. */
export interface Health {
  /** `degraded`: only sources or the check for a new release fail; `failing`: another part of the crawler does not work. */
  status: 'ok' | 'degraded' | 'failing';
  /** One sentence for each part that does not work. */
  problems: string[];
  /** One sentence for each matter that needs the operator, although the crawler works. */
  warnings: string[];
  version: string;
  startedAt: string;
  crawl: { phase: CrawlPhase; offlineSince: string | null };
  /** For each kind: the number of due domains, and how long ago the first of them became due; null when none is due. */
  backlog: Record<keyof Backlog, { due: number; lateSeconds: number | null }>;
  /** Visits of the last hour, or since the start if that is later. */
  visits: {
    total: number;
    byVerdict: Record<string, number>;
    /** Unreachable hosts by failure class, as a share of all visits. */
    failureRates: Record<string, number>;
  };
  /** The workers seen in the last 30 days; missing when there were none. */
  workers?: readonly Worker[];
  /** Event loop delay since the last call of `read`, in milliseconds. */
  eventLoop: { p99Ms: number; maxMs: number };
  /** `guard`: whether the guard against sudden loss let the last attempt pass; null before the first. */
  export: { lastAt: string | null; guard: 'passed' | 'refused' | null };
  compaction: { lastAt: string | null };
  memory: { rssBytes: number; heapUsedBytes: number };
}

/** A part of the service that can fail and recover. */
export type Part = 'crawl' | 'export' | 'compaction' | 'sources' | 'opt-out' | 'release' | 'database';

/** Parts that mostly depend on other people's servers: a restart of the service would not fix them. */
const EXTERNAL: ReadonlySet<Part> = new Set(['sources', 'release']);

const FATAL: ReadonlySet<StoreErrorCode> = new Set<StoreErrorCode>(['corrupt', 'moved', 'not-a-database']);

/** Whether the database cannot be used again without a repair or a restart. */
export function isFatal(error: unknown): error is StoreError {
  return error instanceof StoreError && FATAL.has(error.code);
}

/** Interval of the timer that measures the event loop delay. */
const DELAY_PROBE_MS = 100;
/** Visits are counted per slice, so the last hour takes a fixed amount of memory. */
const SLICE_MS = MINUTE_MS;
const SLICES = 60;

interface Slice {
  /** Monotonic time in units of `SLICE_MS`. */
  index: number;
  byVerdict: Map<string, number>;
  byFailure: Map<string, number>;
}

interface HealthOptions {
  version: string;
  logger: Pick<Logger, 'info' | 'error'>;
  now: () => EpochMs;
  clock: Clock;
}

/** Collects {@link Health}, and logs each failure and recovery once. */
export class HealthRecord implements Disposable {
  readonly #options: HealthOptions;
  readonly #startedAt: string;
  readonly #loopDelay = createHistogram();
  readonly #delayProbe: NodeJS.Timeout;
  readonly #problems = new Map<Part, string>();
  readonly #fatal = Promise.withResolvers<Error>();
  readonly #slices: Slice[] = [];
  #phase: CrawlPhase = 'idle';
  #offlineSince: string | null = null;
  #exportedAt: string | null = null;
  #guard: Health['export']['guard'] = null;
  #compactedAt: string | null = null;
  /** Resolves with an error that no retry can fix; never rejects. */
  readonly fatal = this.#fatal.promise;

  constructor(options: HealthOptions) {
    const { now, clock } = options;
    this.#options = options;
    this.#startedAt = isoTime(now());
    let probeDueAt = clock() + DELAY_PROBE_MS;
    this.#delayProbe = setInterval(() => {
      this.#loopDelay.record(Math.max(1, Math.round(clock() - probeDueAt)));
      probeDueAt = clock() + DELAY_PROBE_MS;
    }, DELAY_PROBE_MS);
    this.#delayProbe.unref();
  }

  addVisit({ verdict, reason }: Pick<Visit, 'verdict' | 'reason'>): void {
    const { byVerdict, byFailure } = this.#currentSlice();
    increment(byVerdict, verdict, 1);
    if (verdict === 'unreachable') increment(byFailure, failureClassOf(reason), 1);
  }

  /** Stores and logs the problem of a part; the same message is not logged twice in a row. */
  reportProblem(part: Part, error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (this.#problems.get(part) !== problem) this.#options.logger.error({ err: error, part }, problem);
    this.#problems.set(part, problem);
    if (isFatal(error)) this.#fatal.resolve(error);
  }

  clearProblem(part: Part): void {
    if (this.#problems.delete(part)) this.#options.logger.info({ part }, `${part} works again`);
  }

  hasProblem(part: Part): boolean {
    return this.#problems.has(part);
  }

  setPhase(next: CrawlPhase): void {
    if (next === 'offline') this.#offlineSince ??= isoTime(this.#options.now());
    else if (next !== 'stopping') this.#offlineSince = null;
    this.#phase = next;
  }

  recordExport(): void {
    this.#exportedAt = isoTime(this.#options.now());
    this.#guard = 'passed';
  }

  /** The guard refused an export. */
  recordRefusedExport(): void {
    this.#guard = 'refused';
  }

  recordCompaction(): void {
    this.#compactedAt = isoTime(this.#options.now());
  }

  /** @param refusing listed instances that are up, but refuse the requests of the crawler. */
  read(backlog: Backlog | null, workers: readonly Worker[] = [], refusing: readonly Domain[] = []): Health {
    this.#currentSlice();
    const byVerdict = new Map<string, number>();
    const byFailure = new Map<string, number>();
    for (const slice of this.#slices) {
      for (const [name, count] of slice.byVerdict) increment(byVerdict, name, count);
      for (const [name, count] of slice.byFailure) increment(byFailure, name, count);
    }
    const total = [...byVerdict.values()].reduce((sum, count) => sum + count, 0);
    const loopDelay = this.#loopDelay;
    const isMeasured = loopDelay.count > 0;
    const eventLoop = { p99Ms: isMeasured ? loopDelay.percentile(99) : 0, maxMs: isMeasured ? loopDelay.max : 0 };
    loopDelay.reset();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      status: statusOf([...this.#problems.keys()]),
      problems: [...this.#problems.values()],
      warnings: refusing.length === 0 ? [] : [refusalWarning(refusing)],
      version: this.#options.version,
      startedAt: this.#startedAt,
      crawl: { phase: this.#phase, offlineSince: this.#offlineSince },
      backlog: backlogHealth(backlog, this.#options.now()),
      visits: {
        total,
        byVerdict: Object.fromEntries(byVerdict),
        failureRates: Object.fromEntries([...byFailure].map(([name, count]) => [name, rounded(count / total)])),
      },
      ...(workers.length === 0 ? {} : { workers }),
      eventLoop,
      export: { lastAt: this.#exportedAt, guard: this.#guard },
      compaction: { lastAt: this.#compactedAt },
      memory: { rssBytes: rss, heapUsedBytes: heapUsed },
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#delayProbe);
  }

  /** Drops slices older than an hour and returns the current one. */
  #currentSlice(): Slice {
    const index = Math.floor(this.#options.clock() / SLICE_MS);
    const slices = this.#slices;
    while (slices[0] !== undefined && slices[0].index <= index - SLICES) slices.shift();
    const last = slices.at(-1);
    if (last?.index === index) return last;
    const next: Slice = { index, byVerdict: new Map(), byFailure: new Map() };
    slices.push(next);
    return next;
  }
}

const MAX_NAMED = 10;

function refusalWarning(domains: readonly Domain[]): string {
  const named = domains.slice(0, MAX_NAMED).join(', ');
  const more = domains.length > MAX_NAMED ? `, and ${domains.length - MAX_NAMED} more` : '';
  return `Listed instances answer our requests with 403 or a challenge page: ${named}${more}. loopscout explain DOMAIN has the cure for their operators.`;
}

function statusOf(problems: readonly Part[]): Health['status'] {
  if (problems.length === 0) return 'ok';
  return problems.every((part) => EXTERNAL.has(part)) ? 'degraded' : 'failing';
}

const NOTHING_DUE = { due: 0, oldest: null };
const NO_BACKLOG: Backlog = { live: NOTHING_DUE, new: NOTHING_DUE, known: NOTHING_DUE, dead: NOTHING_DUE };

function backlogHealth(backlog: Backlog | null, at: number): Health['backlog'] {
  const { live, new: unvisited, known, dead } = backlog ?? NO_BACKLOG;
  const laneHealth = ({ due, oldest }: Backlog[keyof Backlog]) => ({
    due,
    lateSeconds: oldest === null ? null : Math.max(0, Math.round((at - oldest) / 1_000)),
  });
  return { live: laneHealth(live), new: laneHealth(unvisited), known: laneHealth(known), dead: laneHealth(dead) };
}

function increment(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
