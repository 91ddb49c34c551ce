import { CrawlPass } from '../crawl/crawl-pass.ts';
import { createHourlyLimit } from '../crawl/hourly-limit.ts';
import { ThirdPartyLimits } from '../crawl/third-party-limits.ts';
import { prepareFolders } from '../export/files/prepare-folders.ts';
import { optOutsOf } from '../http/admit-host.ts';
import type { Connectivity } from '../http/connectivity.ts';
import type { Identifier } from '../identify/identifier.ts';
import type { Logger } from '../logger.ts';
import type { Crawler } from '../service/crawler.ts';
import { createOptOutImport } from '../service/opt-out-file.ts';
import { createPublishing } from '../service/publishing.ts';
import { createSources } from '../service/sources/sources.ts';
import { type RunTask, runOnThread } from '../service/tasks/tasks.ts';
import { applyReloadable } from '../settings/apply-reloadable.ts';
import { requireContact } from '../settings/require-contact.ts';
import type { Settings } from '../settings/schema.ts';
import { readEngineUrl } from '../settings/settings.ts';
import { createHtmlSelector } from '../sources/html/html-selector.ts';
import { fetchRelease } from '../sources/release.ts';
import { openStore } from '../store/open-store.ts';
import type { CrawlingProcess } from '../store/store.ts';
import { createNetwork, httpOptionsOf } from './network.ts';

export type { CrawlEnd } from '../crawl/crawl-pass.ts';
export { createLogger } from '../logger.ts';
export { REASONS } from '../model/reason.ts';
export type { Visit } from '../model/visit.ts';
export type { SourceReport } from '../service/sources/run-source.ts';
export type { WhichSources } from '../service/sources/sources.ts';
export { DomainsError, parseDomains } from '../settings/parse-domains.ts';
export { abortOnSignal, handlePendingSignals, shutDownOnSignals } from '../shutdown.ts';
export { backUp } from '../store/sqlite/back-up.ts';

/** A crawler with its resources; disposing of it releases them. */
export interface App extends Crawler, AsyncDisposable {}

/** Parts that tests replace. */
export interface Overrides {
  now?: () => number;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
  random?: () => number;
  identifier?: Identifier;
  connectivity?: Connectivity;
  background?: RunTask;
}

/** First visits that are counted within an hour, as many as the largest database has domains. */
const MAX_FIRST_VISITS = 1_000_000;

/** @throws {StoreError} {CaFileError} when the database or `network.caFile` cannot be used. */
export async function createApp(initial: Settings, logger: Logger, overrides: Overrides = {}): Promise<App> {
  const { now = Date.now, random = Math.random, clock = () => performance.now(), background = runOnThread } = overrides;
  let settings = initial;
  const hourlyLimit = createHourlyLimit(clock);
  const firstVisits = createHourlyLimit(clock, MAX_FIRST_VISITS);
  let pass: CrawlPass | null = null;
  // Before the database is created, because it can refuse the settings.
  const http = httpOptionsOf(settings, { now, clock });
  const store = await openStore({ path: settings.database });
  const reader = store.reader();
  const optOuts = optOutsOf(store.optedOut);
  const thirdPartyLimits = new ThirdPartyLimits({ hourlyLimit, reader, now }, settings.queue);
  const network = createNetwork(settings, {
    now,
    clock,
    http: { ...http, optOuts, thirdParties: thirdPartyLimits },
    log: logger,
    store,
    engineUrl: readEngineUrl(settings),
  });
  const { identifier = network.identifier, connectivity = network.connectivity } = overrides;
  const publishing = createPublishing({ settings: () => settings, store, background, now, clock });

  return {
    get settings() {
      return settings;
    },
    logger,
    store,
    thirdPartyLimits,
    hourlyLimit,

    async checkBeforeCrawl() {
      requireClock(now());
      requireContact(settings);
      await prepareFolders(settings.export.dir);
    },

    applyOptOuts: createOptOutImport({ settings: () => settings, store, background, now }),
    sources: createSources({
      settings: () => settings,
      store,
      http: network.sourceHttp,
      selectHtml: createHtmlSelector(),
      isOnline: network.isOnline,
      now,
      random,
    }),

    startCrawling(command) {
      const crawling = store.startCrawling({ command, pid: process.pid, since: now() });
      if ('heldBy' in crawling) throw new CrawlingError(settings.database, crawling.heldBy);
      if (crawling.cutOff > 0)
        logger.warn({ visits: crawling.cutOff }, 'an earlier process ended during these visits; they are repeated');
      return crawling;
    },

    async crawl({ only, drain, signal, onCompleted, until }) {
      if (only !== undefined) {
        const { optedOut } = store.requestVisit(only, now());
        if (optedOut.length > 0) logger.warn({ count: optedOut.length }, 'opted-out domains are not visited');
      }
      const { softwareId, robots, domains, cadence, queue: limits } = settings;
      const rules = { softwareId, robots, allowSuffixes: domains.allowSuffixes, optOuts };
      pass = new CrawlPass(
        {
          ...{ store, identifier, connectivity, rules, cadence, limits, thirdPartyLimits, firstVisits },
          ...{ onCompleted, logger, now, clock, random },
        },
        { only, drain, signal, until },
      );
      const end = await pass.run().finally(() => {
        pass = null;
      });
      // The export guard refuses exports until a visit succeeds again.
      if (end === 'offline') store.recordOffline(now());
      return end;
    },

    wake: () => pass?.wake(),

    ...publishing,

    compactInBackground: (signal) =>
      background('compact', { database: settings.database, at: now(), retention: settings.retention }, signal),

    async readNewestVersion(signal) {
      const { releaseUrl } = settings.flags;
      if (releaseUrl === null) return null;
      const release = await fetchRelease({ url: releaseUrl, get: network.get, signal });
      if (!release.ok) throw new Error(`flags.releaseUrl, ${releaseUrl}, gives no newest release: ${release.why}`);
      store.recordRelease(release.version, now());
      return release.version;
    },

    applyReloadable(next) {
      settings = applyReloadable(settings, next);
      thirdPartyLimits.limits = settings.queue;
      logger.level = settings.log.level;
    },

    async [Symbol.asyncDispose]() {
      identifier.cancelAll();
      reader[Symbol.dispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** The program is newer than this, so a clock that shows an earlier time was never set. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** The clock of this machine is wrong. */
class ClockError extends Error {
  override readonly name = 'ClockError';
  readonly kind = 'failure';
}

/** @throws {ClockError} when the clock was never set. */
function requireClock(at: number): void {
  if (at >= EARLIEST) return;
  throw new ClockError(
    `the clock of this machine shows ${new Date(at).toISOString()}, which is wrong: set it, and make sure that it is set before loopscout starts`,
  );
}

/** Another process is crawling with the database. */
export class CrawlingError extends Error {
  override readonly name = 'CrawlingError';
  readonly kind = 'failure';

  constructor(database: string, heldBy: CrawlingProcess | null) {
    const who =
      heldBy === null
        ? 'another process'
        : `${heldBy.command} (process ${heldBy.pid}, since ${new Date(heldBy.since).toISOString().slice(0, 16)}Z)`;
    super(
      `${who} is crawling with ${database}, and only one process can; stop it first, or let it visit a domain now: loopscout add DOMAIN`,
    );
  }
}
