import { type CrawlEnd, type CrawlParts, CrawlPass, type PassOptions } from '../crawl/crawl-pass.ts';
import { createHourlyLimit, type HourlyLimit } from '../crawl/hourly-limit.ts';
import type { ThirdPartyLimits } from '../crawl/third-party-limits.ts';
import { prepareFolders } from '../export/files/prepare-folders.ts';
import type { GuardedGet } from '../http/guarded-get.ts';
import type { SourceHttp } from '../http/source-http.ts';
import type { Logger } from '../logger.ts';
import { utcText } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';
import { applyReloadable } from '../settings/apply-reloadable.ts';
import { requireContact } from '../settings/require-contact.ts';
import type { Settings } from '../settings/schema.ts';
import { createHtmlSelector } from '../sources/html/html-selector.ts';
import { fetchRelease } from '../sources/release.ts';
import type { CrawlingProcess } from '../store/crawler.ts';
import type { CompactionReport } from '../store/retention/compact.ts';
import type { Store } from '../store/store.ts';
import { OptOutFile } from './opt-out-file.ts';
import { Publishing } from './publishing.ts';
import { Sources } from './sources/sources.ts';
import type { RunTask } from './tasks/tasks.ts';

/** What a crawler works with; `app` makes it from the settings. */
export interface CrawlerParts extends Pick<CrawlParts, 'identifier' | 'connectivity' | 'now' | 'clock' | 'random'> {
  settings: Settings;
  logger: Logger;
  store: Store;
  /** Asked before each request. */
  optOuts: CrawlParts['rules']['optOuts'];
  /** Counts submissions, checks and contacts with third-party hosts in the last hour. */
  hourlyLimit: HourlyLimit;
  /** Counts the contacts with third-party hosts, and refuses those above the limits. */
  thirdPartyLimits: ThirdPartyLimits;
  network: { sourceHttp: SourceHttp; get: GuardedGet; isOnline: () => Promise<boolean> };
  /** Where addresses are. */
  hosting: { refresh(): void };
  background: RunTask;
  /** Releases what `app` opened. */
  dispose: () => Promise<void>;
}

export interface CrawlOptions extends PassOptions {
  onCompleted: (visit: Visit) => void;
}

/** First visits that are counted within an hour, as many as the largest database has domains. */
const MAX_FIRST_VISITS = 1_000_000;

/** The operations of the crawler, used by the jobs of the service and by commands. Disposing of it releases its resources. */
export class Crawler implements AsyncDisposable {
  /** The settings in force. */
  settings: Settings;
  readonly logger: Logger;
  readonly store: Store;
  readonly hourlyLimit: HourlyLimit;
  readonly thirdPartyLimits: ThirdPartyLimits;
  readonly sources: Sources;
  readonly publishing: Publishing;
  readonly optOutFile: OptOutFile;
  readonly #parts: CrawlerParts;
  readonly #firstVisits: HourlyLimit;
  #pass: CrawlPass | null = null;

  constructor(parts: CrawlerParts) {
    const { settings, logger, store, hourlyLimit, thirdPartyLimits, network, background, now, clock, random } = parts;
    const current = () => this.settings;
    this.#parts = parts;
    this.#firstVisits = createHourlyLimit(clock, MAX_FIRST_VISITS);
    this.settings = settings;
    this.logger = logger;
    this.store = store;
    this.hourlyLimit = hourlyLimit;
    this.thirdPartyLimits = thirdPartyLimits;
    this.publishing = new Publishing({ settings: current, store, background, now, clock });
    this.optOutFile = new OptOutFile({ settings: current, store, background, now });
    const { sourceHttp: http, isOnline } = network;
    this.sources = new Sources({
      ...{ settings: current, store, http, isOnline, now, random },
      selectHtml: createHtmlSelector(),
    });
  }

  /** Throws when the clock is wrong, `contact` is an example, or the export folder cannot be written. */
  async checkBeforeCrawl(): Promise<void> {
    requireClock(this.#parts.now());
    requireContact(this.settings);
    await prepareFolders(this.settings.export.dir);
  }

  /**
   * Becomes the crawling process of the database until disposed of.
   *
   * @param command the command that crawls, shown to others that want to.
   * @throws {CrawlingError} when another process is crawling.
   */
  startCrawling(command: string): Disposable {
    const crawling = this.store.startCrawling({ command, pid: process.pid, since: this.#parts.now() });
    if ('heldBy' in crawling) throw new CrawlingError(this.settings.database, crawling.heldBy);
    if (crawling.cutOff > 0)
      this.logger.warn({ visits: crawling.cutOff }, 'an earlier process ended during these visits; they are repeated');
    return crawling;
  }

  /** Runs one pass over the due domains, or over the given ones. Only one pass may run at a time. */
  async crawl({ onCompleted, ...options }: CrawlOptions): Promise<CrawlEnd> {
    const { store, thirdPartyLimits, logger } = this;
    const { identifier, connectivity, optOuts, hosting, now, clock, random } = this.#parts;
    hosting.refresh();
    if (options.only !== undefined) {
      const { optedOut } = store.domains.requestVisit(options.only, now());
      if (optedOut.length > 0) logger.warn({ count: optedOut.length }, 'opted-out domains are not visited');
    }
    const { softwareId, robots, domains, cadence, queue: limits } = this.settings;
    const rules = { softwareId, robots, allowSuffixes: domains.allowSuffixes, optOuts };
    this.#pass = new CrawlPass(
      {
        ...{ store, identifier, connectivity, rules, cadence, limits, thirdPartyLimits },
        ...{ firstVisits: this.#firstVisits, onCompleted, logger, now, clock, random },
      },
      options,
    );
    const end = await this.#pass.run().finally(() => {
      this.#pass = null;
    });
    // The export guard refuses exports until a visit succeeds again.
    if (end === 'offline') store.crawler.recordOffline(now());
    return end;
  }

  /** Picks domains that were just entered in the running pass, if there is one; those that a user requested even if no place is free. */
  wake(): void {
    this.#pass?.wake();
  }

  /** Deletes data that is older than the retention settings, on another thread. */
  compactInBackground(signal: AbortSignal): Promise<CompactionReport> {
    const { database, retention } = this.settings;
    return this.#parts.background('compact', { database, at: this.#parts.now(), retention }, signal);
  }

  /** Fetches and stores the newest release of the software; null when no release URL is set. */
  async readNewestVersion(signal: AbortSignal): Promise<string | null> {
    const { releaseUrl } = this.settings.flags;
    if (releaseUrl === null) return null;
    const release = await fetchRelease({ url: releaseUrl, get: this.#parts.network.get, signal });
    if (!release.ok) throw new Error(`flags.releaseUrl, ${releaseUrl}, gives no newest release: ${release.why}`);
    this.store.crawler.recordRelease(release.version, this.#parts.now());
    return release.version;
  }

  /** Applies the settings that can change without a restart. */
  applyReloadable(next: Settings): void {
    this.settings = applyReloadable(this.settings, next);
    this.thirdPartyLimits.limits = this.settings.queue;
    this.logger.level = this.settings.log.level;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.dispose();
  }
}

/** The program is newer than this, so a clock that shows an earlier time was never set. */
const EARLIEST = Date.UTC(2026, 0, 1);

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

export class CrawlingError extends Error {
  override readonly name = 'CrawlingError';
  readonly kind = 'failure';

  constructor(database: string, heldBy: CrawlingProcess | null) {
    const who =
      heldBy === null ? 'another process' : `${heldBy.command} (process ${heldBy.pid}, since ${utcText(heldBy.since)})`;
    super(
      `${who} is crawling with ${database}, and only one process can; stop it first, or let it visit a domain now: loopscout add DOMAIN`,
    );
  }
}
