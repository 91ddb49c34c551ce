import type { CrawlEnd } from '../crawl/crawl-pass.ts';
import type { Clock } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import { movedError } from '../store/sqlite/store-error.ts';
import type { Crawler } from './crawler.ts';
import type { HealthRecord } from './health.ts';
import type { Submissions } from './submissions.ts';

interface CrawlJobParts {
  crawler: Crawler;
  health: HealthRecord;
  clock: Clock;
  /** Lets running visits finish, and prevents new ones. */
  drain: AbortSignal;
  /** Abandons running visits. */
  giveUp: AbortSignal;
  submissions: Pick<Submissions, 'complete' | 'abandon'>;
}

const FIRST_WAIT_MS = 10_000;
const MAX_WAIT_MS = 300_000;

export class CrawlJob {
  readonly #parts: CrawlJobParts;
  #pass = new AbortController();
  #running: Promise<CrawlEnd | null> | null = null;
  isOffline = false;
  /** No pass starts before this time, after one that failed or found the crawler offline. */
  #dueAt = Number.NEGATIVE_INFINITY;
  /** The next such wait; it doubles each time, up to {@link MAX_WAIT_MS}. */
  #waitMs = FIRST_WAIT_MS;

  constructor(parts: CrawlJobParts) {
    this.#parts = parts;
  }

  /**
   * Runs one pass over the due domains, or waits for the running one. Null when it failed, or did not start because of a drain or the wait
   * after such a pass or an offline one.
   */
  run(): Promise<CrawlEnd | null> {
    this.#running ??= this.#tryPass().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Drains the current pass, so that the next one uses the new settings. */
  drainPass(): void {
    this.#pass.abort();
  }

  async #tryPass(): Promise<CrawlEnd | null> {
    const { crawler, health, clock, drain, giveUp } = this.#parts;
    if (clock() < this.#dueAt || drain.aborted) return null;
    this.#pass = new AbortController();
    try {
      if (!crawler.store.isInPlace()) throw movedError(crawler.settings.database);
      if (!this.isOffline) health.setPhase('crawling');
      const end = await crawler.crawl({
        signal: giveUp,
        drain: AbortSignal.any([drain, this.#pass.signal]),
        onCompleted: (visit) => this.#onCompleted(visit),
      });
      if (end === 'offline') this.#onOffline();
      else this.#onEnd(end);
      return end;
    } catch (error) {
      health.setPhase('idle');
      health.reportProblem('crawl', error);
      this.#waitLonger();
      return null;
    }
  }

  #onCompleted(visit: Visit): void {
    const { crawler, health, submissions } = this.#parts;
    health.addVisit(visit);
    // A recorded visit proves that the crawl works; the pass itself may last hours.
    this.#onSuccess();
    const { domain, at, verdict, reason, via, software, version, aliasOf, durationMs, steps } = visit;
    const found = Object.fromEntries(Object.entries({ via, software, version, aliasOf }).filter(([, value]) => value));
    crawler.logger.info({ domain, at, verdict, reason, ...found, ms: durationMs, steps: steps.length }, 'visit');
    submissions.complete(visit);
  }

  #onSuccess(): void {
    const { crawler, health } = this.#parts;
    health.clearProblem('crawl');
    if (!this.isOffline) return;
    this.isOffline = false;
    crawler.logger.info('online again');
    health.setPhase('crawling');
  }

  #onEnd(end: CrawlEnd): void {
    if (end === 'done') this.#onSuccess();
    this.#dueAt = Number.NEGATIVE_INFINITY;
    this.#waitMs = FIRST_WAIT_MS;
    this.#parts.health.setPhase(this.#parts.drain.aborted ? 'stopping' : 'idle');
  }

  #onOffline(): void {
    const { crawler, health } = this.#parts;
    if (!this.isOffline)
      crawler.logger.warn('offline: nothing answers at all, so no failure is recorded and all domains stay due');
    this.isOffline = true;
    health.setPhase('offline');
    this.#waitLonger();
  }

  #waitLonger(): void {
    this.#dueAt = this.#parts.clock() + this.#waitMs;
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS);
    this.#parts.submissions.abandon();
  }
}
