import type { HealthRecord } from './app.health.ts';
import { createRetry } from './app.retry.ts';
import type { Trouble } from './app.trouble.ts';
import type { App, CrawlEnd } from './app.ts';
import type { Visit } from './record/visit.ts';
import { movedError } from './store/moved-error.ts';

export interface CrawlingParts {
  app: App;
  health: HealthRecord;
  trouble: Trouble;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Ends all crawling in good order. */
  drain: AbortSignal;
  /** Ends it at once. */
  giveUp: AbortSignal;
}

export interface Crawling {
  /** One pass over what is due, unless it is too early after a failure. */
  crawlDue(): Promise<void>;
  /** Ends the pass under way in good order, so that the next one goes by new settings. */
  beginAnew(): void;
}

/** The passes of the service. */
export function createCrawling({ app, health, trouble, clock, drain, giveUp }: CrawlingParts): Crawling {
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
    trouble.works('crawl');
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
      if (!retry.isDue() || drain.aborted) return;
      pass = new AbortController();
      try {
        requireInPlace();
        if (!isOffline) health.setPhase('crawling');
        onEnd(await app.crawl({ signal: giveUp, drain: AbortSignal.any([drain, pass.signal]), onCompleted }));
      } catch (error) {
        health.setPhase('idle');
        trouble.failed('crawl', error);
        retry.failed();
      }
    },
    beginAnew: () => pass.abort(),
  };
}
