import { type CrawlParts, CrawlPass } from '../crawl/crawl-pass.ts';
import { addressKey, HostLimits } from '../crawl/host-limits.ts';
import { createHourlyLimit } from '../crawl/hourly-limit.ts';
import { ThirdPartyLimits } from '../crawl/third-party-limits.ts';
import { prepareFolders } from '../export/files/prepare-folders.ts';
import { createOptOutGuard } from '../http/admit-host.ts';
import type { Connectivity } from '../http/connectivity.ts';
import type { HttpOptions } from '../http/visit-client.ts';
import type { Identifier } from '../identify/identifier.ts';
import type { Logger } from '../logger.ts';
import type { Domain } from '../model/domain/domain.ts';
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
import { createNetwork, visitContextOf } from './network.ts';

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
  // Third-party hosts have their own slots: a visit that already holds a slot could otherwise wait for itself.
  const thirdPartySlots = new HostLimits();
  const admitThirdParty: HttpOptions['admitThirdParty'] = async (addresses) => {
    const limit = settings.queue.perAddress;
    const slots = addresses.map(({ address }) => ({ key: `third party ${addressKey(address)}`, limit }));
    await thirdPartySlots.acquire(slots);
    return () => thirdPartySlots.release(slots);
  };
  const hourlyLimit = createHourlyLimit(clock);
  const firstVisits = createHourlyLimit(clock, MAX_FIRST_VISITS);
  // A user who adds a domain may have just changed its robots.txt, so the cached copy is ignored.
  let requested: ReadonlySet<Domain> = new Set();
  let pass: CrawlPass | null = null;
  const isOptedOut = createOptOutGuard((host) => store.optedOut.has(host));
  const network = createNetwork(settings, {
    now,
    clock,
    admitThirdParty,
    isOptedOut,
    onWorkerTrouble: (message) => logger.warn(message),
    onWorkers: (workers) => {
      try {
        store.recordWorkers(workers);
      } catch (error) {
        logger.warn(String(error));
      }
    },
    engineUrl: readEngineUrl(settings),
  });
  const { identifier = network.identifier, connectivity = network.connectivity } = overrides;
  const store = await openStore({ path: settings.database });
  const names = store.reader();
  const thirdPartyLimits = new ThirdPartyLimits({
    hourlyLimit,
    limits: () => settings.queue,
    lastVisitOf: (host, upTo) => names.lastVisitUnderAnyName(host, upTo),
    now,
  });
  const contextFor: CrawlParts['contextFor'] = ({ record: { domain, lastVisit }, origin }) =>
    visitContextOf(settings, {
      now,
      isOptedOut,
      mayContactHost: (url, addresses) =>
        thirdPartyLimits.mayContact(url, { domain, isSubmission: origin === 'submission' }, addresses),
      cachedRobots: lastVisit === null || origin !== null || requested.has(domain) ? null : store.cachedRobots(domain),
      aliasOf: (other) => store.aliasOf(other),
    });
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
      requested = new Set(only);
      if (only !== undefined) {
        const { optedOut } = store.requestVisit(only, now());
        if (optedOut.length > 0) logger.warn({ count: optedOut.length }, 'opted-out domains are not visited');
      }
      pass = new CrawlPass(
        {
          store,
          identifier,
          contextFor,
          firstVisits,
          cadence: () => settings.cadence,
          limits: settings.queue,
          connectivity,
          onCompleted,
          onBug: (domain, error) =>
            logger.error({ domain, err: error }, 'a visit failed because of a bug; the domain stays due'),
          now,
          clock,
          random,
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
      logger.level = settings.log.level;
    },

    async [Symbol.asyncDispose]() {
      identifier.cancelAll();
      names[Symbol.dispose]();
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
