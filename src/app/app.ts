import { crawl } from '../crawl/crawl.ts';
import { prepareFolders } from '../export/files/prepare-folders.ts';
import type { MayContactHost } from '../http/admit-host.ts';
import type { Connectivity } from '../http/connectivity.ts';
import type { HttpOptions } from '../http/visit-client.ts';
import type { Identifier } from '../identify/identifier.ts';
import type { Logger } from '../logger.ts';
import type { Domain } from '../model/domain/domain.ts';
import { registrableDomainOf } from '../model/domain/registrable-domain.ts';
import { addressKey, createAdmission } from '../queue/admission.ts';
import { createHourlyLimit, type HourlyLimit } from '../queue/hourly-limit.ts';
import { createVisitQueue } from '../queue/visit-queue.ts';
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
import { retryWhileLocked } from '../store/sqlite/retry-while-locked.ts';
import { createNetwork, type NetworkParts } from './network.ts';

export type { CrawlEnd } from '../crawl/crawl.ts';
export { createLogger } from '../logger.ts';
export { REASONS } from '../model/reason.ts';
export type { Visit } from '../model/visit.ts';
export type { SourceReport } from '../service/sources/run-source.ts';
export type { WhichSources } from '../service/sources/sources.ts';
export { DomainsError, parseDomains } from '../settings/parse-domains.ts';
export { abortOnSignal, shutDownOnSignals } from '../shutdown.ts';
export { backUp } from '../store/sqlite/back-up.ts';

/** A crawler with its resources; disposing of it releases them. */
export interface App extends Crawler, AsyncDisposable {
  /** Counts the contacts with third-party hosts, and refuses those above the limits. */
  mayContactHost: MayContactHost;
  /** Counts submissions and contacts with third-party hosts in the last hour, by site (host without `www.` and port), registrable domain and IP address. */
  hourlyLimit: HourlyLimit;
}

/** Parts that tests replace. The submission visitor replaces `mayContactHost`, too. */
export interface Overrides {
  now?: () => number;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
  random?: () => number;
  identifier?: Identifier;
  connectivity?: Connectivity;
  background?: RunTask;
  mayContactHost?: MayContactHost;
}

/**
 * Maximum contacts per hour with third-party hosts of one registrable domain, and at one address, so that visits cannot be used to send many
 * requests to somebody else's host.
 */
const MAX_THIRD_PARTIES = { perRegistrableDomain: 10, perAddress: 30 };

/** @throws {StoreError} {CaFileError} when the database or `network.caFile` cannot be used. */
export async function createApp(initial: Settings, logger: Logger, overrides: Overrides = {}): Promise<App> {
  const { now = Date.now, random = Math.random, clock = () => performance.now(), background = runOnThread } = overrides;
  let settings = initial;
  // Third-party hosts have their own slots: a visit that already holds a slot could otherwise wait for itself.
  const thirdPartySlots = createAdmission();
  const admitThirdParty: HttpOptions['admitThirdParty'] = async (addresses) => {
    const limit = settings.queue.perAddress;
    const claims = addresses.map(({ address }) => ({ key: `third party ${addressKey(address)}`, limit }));
    await thirdPartySlots.enter(claims);
    return () => thirdPartySlots.leave(claims);
  };
  const hourlyLimit = createHourlyLimit(clock);
  const limitThirdParty: MayContactHost = ({ hostname }, visited, addresses) => {
    const registrable = registrableDomainOf(hostname as Domain);
    if (registrable === registrableDomainOf(visited)) return true;
    const { perRegistrableDomain, perAddress } = settings.queue;
    // A setting of 0 means no limit, also for third-party hosts.
    return hourlyLimit.admit([
      { key: `domain ${registrable}`, limit: perRegistrableDomain && MAX_THIRD_PARTIES.perRegistrableDomain },
      ...addresses.map(({ address }) => ({
        key: `address ${addressKey(address)}`,
        limit: perAddress && MAX_THIRD_PARTIES.perAddress,
      })),
    ]);
  };
  const mayContactHost = overrides.mayContactHost ?? limitThirdParty;
  // A user who adds a domain may have just changed its robots.txt, so the cached copy is ignored.
  let requested: ReadonlySet<Domain> = new Set();
  const history: NetworkParts['history'] = {
    cachedRobots: (domain) => (requested.has(domain) ? null : store.cachedRobots(domain)),
    aliasOf: (domain) => store.aliasOf(domain),
  };
  const network = createNetwork(settings, {
    now,
    clock,
    admitThirdParty,
    isOptedOut: (host) => store.optedOut.has(host),
    mayContactHost,
    history,
    onVisitorTrouble: (message) => logger.warn(message),
    onWorkers: (workers) =>
      void retryWhileLocked(() => store.recordWorkers(workers)).catch((error) => logger.warn(String(error))),
    engineUrl: readEngineUrl(settings),
  });
  const { identifier = network.identifier, connectivity = network.connectivity } = overrides;
  const leaseMs = settings.queue.leaseSeconds * 1_000;
  const store = await openStore({ path: settings.database, now, leaseMs });
  if (store.reclaimed > 0)
    logger.warn({ leases: store.reclaimed }, 'reclaimed the leases of a run that ended abnormally');

  const publishing = createPublishing({ settings: () => settings, store, background, now, clock });

  return {
    get settings() {
      return settings;
    },
    logger,
    store,
    mayContactHost,
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

    async crawl({ only, drain, signal, onCompleted, onPostponed, arrivals }) {
      const { queue } = settings;
      requested = new Set(only);
      if (only !== undefined) {
        const { optedOut } = await retryWhileLocked(() => store.requestVisit(only, now()), { signal });
        if (optedOut.length > 0) logger.warn({ count: optedOut.length }, 'opted-out domains are not visited');
      }
      const end = await crawl(
        {
          store,
          queue: createVisitQueue({ concurrency: queue.concurrency, perSecond: queue.visitsPerSecond }),
          identifier,
          cadence: () => settings.cadence,
          limits: queue,
          renewEveryMs: leaseMs / 4,
          maxInProgress: Math.max(queue.concurrency * 2, 64),
          isHostAtFault: (outcome) => connectivity.isHostAtFault(outcome),
          onCompleted,
          onPostponed: (domain) => {
            logger.warn(
              { domain },
              'the visit is postponed: it needs a third-party host whose hourly limit of contacts is reached',
            );
            onPostponed?.(domain);
          },
          onBug: (domain, error) =>
            logger.error({ domain, err: error }, 'a visit failed because of a bug; the domain stays due'),
          onLocked: () => logger.warn('another process has locked the database; waiting to record visits'),
          now,
          clock,
          random,
        },
        { only, drain, signal, arrivals },
      );
      // The export guard refuses exports until a visit succeeds again.
      if (end === 'offline') await retryWhileLocked(() => store.recordOffline(now()));
      return end;
    },

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

/** Maximum concurrent visits, and maximum visits per second, of submitted domains. */
const SUBMISSION_VISITS = 4;

/** Opens a second app on the same database, which visits submitted domains in parallel to the service. */
export function createSubmissionVisitor(
  { settings, logger, mayContactHost }: Pick<App, 'settings' | 'logger' | 'mayContactHost'>,
  restrict: (mayContactHost: MayContactHost) => MayContactHost,
): Promise<App> {
  const { concurrency, visitsPerSecond } = settings.queue;
  const queue = {
    ...settings.queue,
    concurrency: Math.min(concurrency, SUBMISSION_VISITS),
    visitsPerSecond: visitsPerSecond === 0 ? SUBMISSION_VISITS : Math.min(visitsPerSecond, SUBMISSION_VISITS),
  };
  return createApp({ ...settings, queue }, logger, { mayContactHost: restrict(mayContactHost) });
}
