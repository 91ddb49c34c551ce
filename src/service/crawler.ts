import type { CrawlEnd } from '../crawl/crawl.ts';
import type { PassOptions } from '../crawl/crawl-parts.ts';
import type { Logger } from '../logger.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { Visit } from '../model/visit.ts';
import type { Settings } from '../settings/schema.ts';
import type { CompactionReport } from '../store/retention/compact.ts';
import type { Store } from '../store/store.ts';
import type { OptOutReport } from './opt-out-file.ts';
import type { Publishing } from './publishing.ts';
import type { Sources } from './sources/sources.ts';

/** What the jobs of the service do, each once. */
export interface Crawler extends Publishing {
  /** The settings in force. */
  readonly settings: Settings;
  readonly logger: Logger;
  readonly store: Store;
  /** Throws when the clock was never set, the contact is the example, or the export folder cannot be written: before a pass is spent. */
  checkBeforeCrawl(): Promise<void>;
  readonly sources: Sources;
  /** Opts out the domains of the opt-out file; null when there is no file, or it has not changed. */
  applyOptOuts(signal: AbortSignal): Promise<OptOutReport | null>;
  /** One pass over the due domains, or over the given ones; one pass at a time. */
  crawl(options: CrawlOptions): Promise<CrawlEnd>;
  /** Deletes data older than the retention settings, on a thread of its own. */
  compactInBackground(signal: AbortSignal): Promise<CompactionReport>;
  /** Fetches and stores the newest release of the software; null when no release URL is set. */
  readRelease(signal: AbortSignal): Promise<string | null>;
  /** Applies the settings that can change without a restart. */
  takeOn(settings: Settings): void;
}

export interface CrawlOptions extends Pick<PassOptions, 'arrivals'> {
  /** Visits just these, due or not. */
  only?: readonly Domain[] | undefined;
  /** Ends the pass in good order: running visits finish and are recorded. */
  drain?: AbortSignal | undefined;
  /** Stops the pass: running visits are abandoned and stay due. */
  signal: AbortSignal;
  onCompleted: (visit: Visit) => void;
}
