import type { CrawlEnd, PassOptions } from '../crawl/crawl-pass.ts';
import type { HourlyLimit } from '../crawl/hourly-limit.ts';
import type { ThirdPartyLimits } from '../crawl/third-party-limits.ts';
import type { Logger } from '../logger.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { Visit } from '../model/visit.ts';
import type { Settings } from '../settings/schema.ts';
import type { CompactionReport } from '../store/retention/compact.ts';
import type { Store } from '../store/store.ts';
import type { OptOutReport } from './opt-out-file.ts';
import type { Publishing } from './publishing.ts';
import type { Sources } from './sources/sources.ts';

/** The operations of the crawler, used by the jobs of the service and by the command `crawl`. */
export interface Crawler extends Publishing {
  /** The settings in force. */
  readonly settings: Settings;
  readonly logger: Logger;
  readonly store: Store;
  /** Counts submissions, checks and contacts with third-party hosts in the last hour. */
  readonly hourlyLimit: HourlyLimit;
  /** Counts the contacts with third-party hosts, and refuses those above the limits. */
  readonly thirdPartyLimits: ThirdPartyLimits;
  /** Throws when the clock is wrong, `contact` is an example, or the export folder cannot be written. */
  checkBeforeCrawl(): Promise<void>;
  readonly sources: Sources;
  /** Opts out the domains of the opt-out file; null when no file is configured, or it has not changed. */
  applyOptOuts(signal: AbortSignal): Promise<OptOutReport | null>;
  /**
   * Becomes the crawling process of the database until disposed of.
   *
   * @param command the command that crawls, shown to others that want to.
   * @throws {CrawlingError} when another process is crawling.
   */
  startCrawling(command: string): Disposable;
  /** Picks domains that were just entered in the running pass, if there is one; those that a user requested even if no place is free. */
  wake(): void;
  /** Runs one pass over the due domains, or over the given ones. Only one pass may run at a time. */
  crawl(options: CrawlOptions): Promise<CrawlEnd>;
  /** Deletes data that is older than the retention settings, on another thread. */
  compactInBackground(signal: AbortSignal): Promise<CompactionReport>;
  /** Fetches and stores the newest release of the software; null when no release URL is set. */
  readNewestVersion(signal: AbortSignal): Promise<string | null>;
  /** Applies the settings that can change without a restart. */
  applyReloadable(settings: Settings): void;
}

export interface CrawlOptions extends Pick<PassOptions, 'until'> {
  /** Visits only these domains, due or not. */
  only?: readonly Domain[] | undefined;
  /** Drains the pass: running visits finish and are recorded, no other starts. */
  drain?: AbortSignal | undefined;
  /** Stops the pass: running visits are abandoned and stay due. */
  signal: AbortSignal;
  onCompleted: (visit: Visit) => void;
}
