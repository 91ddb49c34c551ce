import type { CrawlEnd } from '../crawl/crawl-pass.ts';
import type { Visit } from '../model/visit.ts';
import { movedError } from '../store/sqlite/store-error.ts';
import type { Crawler } from './crawler.ts';
import type { HealthRecord } from './health.ts';
import type { Submissions } from './submissions.ts';

export interface CrawlJobOptions {
  app: Crawler;
  health: HealthRecord;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Lets running visits finish, and prevents new ones. */
  drain: AbortSignal;
  /** Abandons running visits. */
  giveUp: AbortSignal;
  submissions: Pick<Submissions, 'complete' | 'abandon'>;
}

/** The crawl passes of the service. */
export function createCrawlJob({ app, health, clock, drain, giveUp, submissions }: CrawlJobOptions) {
  const { store, logger } = app;
  const backoff = createBackoff(clock);
  let pass = new AbortController();
  let isOffline = false;
  let running: Promise<CrawlEnd | null> | null = null;

  function onCompleted(visit: Visit): void {
    health.addVisit(visit);
    // A recorded visit proves that the crawl works; the pass itself may last hours.
    onSuccess();
    const { domain, at, verdict, reason, via, software, version, aliasOf, durationMs, steps } = visit;
    const found = Object.fromEntries(Object.entries({ via, software, version, aliasOf }).filter(([, value]) => value));
    logger.info({ domain, at, verdict, reason, ...found, ms: durationMs, steps: steps.length }, 'visit');
    submissions.complete(visit);
  }

  function onSuccess(): void {
    health.clearProblem('crawl');
    if (!isOffline) return;
    isOffline = false;
    logger.info('online again');
    health.setPhase('crawling');
  }

  function onEnd(end: CrawlEnd): void {
    if (end === 'offline') {
      if (!isOffline)
        logger.warn('offline: nothing answers at all, so no failure is recorded and all domains stay due');
      isOffline = true;
      health.setPhase('offline');
      backoff.recordFailure();
      submissions.abandon();
      return;
    }
    if (end === 'done') onSuccess();
    backoff.recordSuccess();
    health.setPhase(drain.aborted ? 'stopping' : 'idle');
  }

  async function tryPass(): Promise<CrawlEnd | null> {
    if (!backoff.isDue() || drain.aborted) return null;
    pass = new AbortController();
    try {
      if (!store.isInPlace()) throw movedError(app.settings.database);
      if (!isOffline) health.setPhase('crawling');
      const end = await app.crawl({ signal: giveUp, drain: AbortSignal.any([drain, pass.signal]), onCompleted });
      onEnd(end);
      return end;
    } catch (error) {
      health.setPhase('idle');
      health.reportProblem('crawl', error);
      backoff.recordFailure();
      submissions.abandon();
      return null;
    }
  }

  return {
    /**
     * Runs one pass over the due domains, or waits for the running one. Null when it failed, or did not start because of a drain or the wait
     * after such a pass or an offline one.
     */
    crawlDue(): Promise<CrawlEnd | null> {
      running ??= tryPass().finally(() => {
        running = null;
      });
      return running;
    },
    /** Drains the current pass, so that the next one uses the new settings. */
    drainPass: () => pass.abort(),
    isOffline: () => isOffline,
  };
}

const FIRST_WAIT_MS = 10_000;
const MAX_WAIT_MS = 300_000;

/** The wait after a pass that failed or found the crawler offline; it doubles each time, up to {@link MAX_WAIT_MS}. */
function createBackoff(clock: CrawlJobOptions['clock']) {
  let dueAt = Number.NEGATIVE_INFINITY;
  let waitMs = FIRST_WAIT_MS;
  return {
    isDue: () => clock() >= dueAt,
    recordFailure() {
      dueAt = clock() + waitMs;
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
    },
    recordSuccess() {
      dueAt = Number.NEGATIVE_INFINITY;
      waitMs = FIRST_WAIT_MS;
    },
  };
}
