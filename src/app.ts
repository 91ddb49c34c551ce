import { createNetwork, type NetworkParts } from './app.network.ts';
import { createOptOuts, type OptOutReport } from './app.opt-outs.ts';
import { createPublishing, type Publishing } from './app.publishing.ts';
import { createHtmlSelector } from './app.select-html.ts';
import { createSources, type Sources } from './app.sources.ts';
import { type RunInBackground, runOnThread } from './app.tasks.ts';
import type { PassOptions } from './crawl.parts.ts';
import { type CrawlEnd, crawl } from './crawl.ts';
import type { Domain } from './domain/domain.ts';
import { prepareFolders } from './export/prepare-folders.ts';
import type { Connectivity } from './http/connectivity.ts';
import type { HttpOptions } from './http/visit-client.ts';
import type { Identifier } from './identify/identifier.ts';
import type { Logger } from './logger.ts';
import { addressKey } from './queue/address-key.ts';
import { createAdmission } from './queue/admission.ts';
import { createVisitQueue } from './queue/visit-queue.ts';
import type { Visit } from './record/visit.ts';
import { takeOn } from './settings.changes.ts';
import { requireContact } from './settings.contact.ts';
import type { Settings } from './settings.schema.ts';
import { fetchRelease } from './sources/release.ts';
import type { CompactionReport } from './store/compact.ts';
import { openStore } from './store/open-store.ts';
import { retryWhileLocked } from './store/retry-while-locked.ts';
import type { Store } from './store/store.ts';

export { DomainsError, parseDomains } from './app.domains.ts';
export type { SourceReport } from './app.source-reading.ts';
export type { WhichSources } from './app.sources.ts';
export type { CrawlEnd } from './crawl.ts';
export { createLogger } from './logger.ts';
export { REASONS } from './record/reason.ts';
export type { Visit } from './record/visit.ts';
export { abortOnSignal, shutDownOnSignals } from './shutdown.ts';
export { backUp } from './store/back-up.ts';
export { VERSION } from './version.ts';

/** The parts of the program, put together from the settings. */
export interface App extends Publishing, AsyncDisposable {
  /** Those in force. */
  readonly settings: Settings;
  readonly logger: Logger;
  readonly store: Store;
  /**
   * To be called before a pass: throws when the clock was never set, when other people's servers would be visited with the example for a contact, and when
   * the export folder cannot be used, before a pass is spent on what could not be written.
   */
  checkBeforeCrawl(): Promise<void>;
  readonly sources: Sources;
  /** Opts out whom the opt-out file of the settings names; null when there is none, or it has not changed. */
  applyOptOuts(signal: AbortSignal): Promise<OptOutReport | null>;
  /** One pass over what is due, or over just some domains; one at a time. */
  crawl(options: CrawlOptions): Promise<CrawlEnd>;
  /** Throws away what is older than the settings say, without holding up a crawl. */
  compactInBackground(signal: AbortSignal): Promise<CompactionReport>;
  /** Asks for the newest release of the software, and notes it; null when the settings name no place to ask. */
  readRelease(signal: AbortSignal): Promise<string | null>;
  /** Goes on with these settings, as far as that can be done without a restart. */
  takeOn(settings: Settings): void;
}

export interface CrawlOptions extends Pick<PassOptions, 'arrivals'> {
  /** Visits just these, due or not. */
  only?: readonly Domain[] | undefined;
  /** Ends the pass in good order: visits that run are finished and recorded. */
  drain?: AbortSignal | undefined;
  /** Stops the pass; visits that run are given up and stay due. */
  signal: AbortSignal;
  onCompleted: (visit: Visit) => void;
}

/** Parts that a test replaces; and whom a visit may lead to. */
export interface Overrides {
  now?: () => number;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
  random?: () => number;
  identifier?: Identifier;
  connectivity?: Connectivity;
  background?: RunInBackground;
  mayAskGuest?: NetworkParts['mayAskGuest'];
}

/**
 * Builds the parts in order; disposing of the result releases them in reverse.
 *
 * @throws {StoreError} {CaFileError} when the settings name something unusable.
 */
export async function createApp(initial: Settings, logger: Logger, overrides: Overrides = {}): Promise<App> {
  const { now = Date.now, random = Math.random, clock = () => performance.now(), background = runOnThread } = overrides;
  let settings = initial;
  // Guests have a line of their own: a visit that waited for a place among visits, while it holds one, could wait for itself.
  const guests = createAdmission();
  const admitGuest: HttpOptions['admitGuest'] = async (addresses) => {
    const limit = settings.queue.perAddress;
    const claims = addresses.map(({ address }) => ({ key: `guest ${addressKey(address)}`, limit }));
    await guests.enter(claims);
    return () => guests.leave(claims);
  };
  // Who names a domain may have changed its robots.txt a minute ago.
  let named: ReadonlySet<Domain> = new Set();
  const before: NetworkParts['before'] = {
    keptRobots: (domain) => (named.has(domain) ? null : store.keptRobots(domain)),
    aliasOf: (domain) => store.aliasOf(domain),
  };
  const network = createNetwork(settings, {
    now,
    clock,
    admitGuest,
    isOptedOut: (host) => store.optedOut.has(host),
    mayAskGuest: overrides.mayAskGuest,
    before,
  });
  const { identifier = network.identifier, connectivity = network.connectivity } = overrides;
  const leaseMs = settings.queue.leaseSeconds * 1_000;
  const store = await openStore({ path: settings.database, now, leaseMs });
  if (store.reclaimed > 0)
    logger.warn({ leases: store.reclaimed }, 'took back the leases of a run that did not end well');

  const publishing = createPublishing({ settings: () => settings, store, background, now, clock });

  return {
    get settings() {
      return settings;
    },
    logger,
    store,

    async checkBeforeCrawl() {
      requireClock(now());
      requireContact(settings);
      await prepareFolders(settings.export.dir);
    },

    applyOptOuts: createOptOuts({ settings: () => settings, store, background, now }),
    sources: createSources({
      settings: () => settings,
      store,
      http: network.sourceHttp,
      selectHtml: createHtmlSelector(),
      isOnline: network.isOnline,
      now,
      random,
    }),

    async crawl({ only, drain, signal, onCompleted, arrivals }) {
      const { queue } = settings;
      named = new Set(only);
      if (only !== undefined) {
        const { optedOut } = await retryWhileLocked(() => store.requestVisit(only, now()), { signal });
        if (optedOut.length > 0) logger.warn({ count: optedOut.length }, 'domains that opted out are not visited');
      }
      const end = await crawl(
        {
          store,
          queue: createVisitQueue({ concurrency: queue.concurrency, perSecond: queue.visitsPerSecond }),
          identifier,
          policy: () => settings.cadence,
          limits: queue,
          renewEveryMs: leaseMs / 4,
          window: Math.max(queue.concurrency * 2, 64),
          mayBlame: (outcome) => connectivity.mayBlame(outcome),
          onCompleted,
          onBug: (domain, error) =>
            logger.error({ domain, err: error }, 'a visit broke on a bug of ours; the domain stays due'),
          onLocked: () => logger.warn('another process has the database locked; what is to be recorded waits'),
          now,
          clock,
          random,
        },
        { only, drain, signal, arrivals },
      );
      // What is published waits until something was visited again.
      if (end === 'offline') await retryWhileLocked(() => store.noteOffline(now()));
      return end;
    },

    ...publishing,

    compactInBackground: (signal) =>
      background('compact', { database: settings.database, at: now(), retention: settings.retention }, signal),

    async readRelease(signal) {
      const { releaseUrl } = settings.flags;
      if (releaseUrl === null) return null;
      const release = await fetchRelease({ url: releaseUrl, get: network.get, signal });
      if (!release.ok)
        throw new Error(`flags.releaseUrl, ${releaseUrl}, does not tell the newest release: ${release.why}`);
      store.noteRelease(release.version, now());
      return release.version;
    },

    takeOn(next) {
      settings = takeOn(settings, next);
      logger.level = settings.log.level;
    },

    async [Symbol.asyncDispose]() {
      identifier.abandon();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Before this there was no such program: a clock that says so was never set, and everything it dates would be wrong for ever. */
const EARLIEST = Date.UTC(2026, 0, 1);

/** The clock of this machine cannot be right. */
class ClockError extends Error {
  override readonly name = 'ClockError';
  readonly kind = 'failure';
}

/** @throws {ClockError} when the clock was never set. */
function requireClock(at: number): void {
  if (at >= EARLIEST) return;
  throw new ClockError(
    `the clock of this machine says ${new Date(at).toISOString()}, which cannot be: set it, and have it set at each start before loopscout`,
  );
}
