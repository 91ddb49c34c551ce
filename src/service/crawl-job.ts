import type { CrawlEnd } from '../crawl/crawl.ts';
import type { Visit } from '../model/visit.ts';
import { movedError } from '../store/sqlite/store-error.ts';
import type { Crawler } from './crawler.ts';
import type { HealthRecord } from './health.ts';

export interface CrawlingParts {
  app: Crawler;
  health: HealthRecord;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Ends all crawling in good order. */
  drain: AbortSignal;
  /** Ends it at once. */
  giveUp: AbortSignal;
}

export interface Crawling {
  /** One pass over what is due; null when it is too early after a failure, or the pass failed. */
  crawlDue(): Promise<CrawlEnd | null>;
  /** Ends the pass under way in good order, so that the next one goes by new settings. */
  beginAnew(): void;
}

/** The passes of the service. */
export function createCrawling({ app, health, clock, drain, giveUp }: CrawlingParts): Crawling {
  const { store, logger } = app;
  const retry = createRetry(clock);
  let pass = new AbortController();
  let isOffline = false;

  function requireInPlace(): void {
    if (!store.isInPlace()) throw movedError(app.settings.database);
  }

  function onCompleted(visit: Visit): void {
    health.addVisit(visit);
    // What was recorded shows that it works, hours before a long pass ends.
    onWorking();
    const { domain, at, verdict, reason, via, software, version, aliasOf, durationMs, steps } = visit;
    const known = Object.fromEntries(Object.entries({ via, software, version, aliasOf }).filter(([, value]) => value));
    logger.info({ domain, at, verdict, reason, ...known, ms: durationMs, steps: steps.length }, 'visit');
  }

  function onWorking(): void {
    health.works('crawl');
    if (!isOffline) return;
    isOffline = false;
    logger.info('online again');
    health.setPhase('crawling');
  }

  function onEnd(end: CrawlEnd): void {
    if (end === 'offline') {
      if (!isOffline) logger.warn('we are offline: nothing answers at all, nobody is blamed, everything stays due');
      isOffline = true;
      health.setPhase('offline');
      retry.failed();
      return;
    }
    onWorking();
    retry.succeeded();
    health.setPhase(drain.aborted ? 'stopping' : 'idle');
  }

  return {
    async crawlDue() {
      if (!retry.isDue() || drain.aborted) return null;
      pass = new AbortController();
      try {
        requireInPlace();
        if (!isOffline) health.setPhase('crawling');
        const end = await app.crawl({ signal: giveUp, drain: AbortSignal.any([drain, pass.signal]), onCompleted });
        onEnd(end);
        return end;
      } catch (error) {
        health.setPhase('idle');
        health.failed('crawl', error);
        retry.failed();
        return null;
      }
    },
    beginAnew: () => pass.abort(),
  };
}

/** Between attempts after a failure; doubles up to the longest. */
const FIRST_MS = 10_000;
const LONGEST_MS = 300_000;

/** When a pass that failed may be tried again: after 10 s, then 20 s, and so on up to 5 minutes. */
interface Retry {
  isDue(): boolean;
  failed(): void;
  succeeded(): void;
}

function createRetry(clock: CrawlingParts['clock']): Retry {
  let at = Number.NEGATIVE_INFINITY;
  let waitMs = FIRST_MS;
  return {
    isDue: () => clock() >= at,
    failed() {
      at = clock() + waitMs;
      waitMs = Math.min(waitMs * 2, LONGEST_MS);
    },
    succeeded() {
      at = Number.NEGATIVE_INFINITY;
      waitMs = FIRST_MS;
    },
  };
}
