import type { About } from '../directory/about.ts';
import type { CrawlerStatus } from '../directory/crawler-status.ts';
import type { DataFolder } from '../directory/data-folder.ts';
import type { Directory } from '../directory/directory.ts';
import type { Submit } from '../directory/submit.ts';
import type { Explanation } from '../explain/explanation.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { EpochMs } from '../model/time.ts';
import type { StoreReader } from '../store/store-reader.ts';
import type { Brand } from './brand.ts';
import type { CheckForUser } from './check/check-answer.ts';
import type { Site } from './site.ts';

/** What live pages are made from. */
export interface SiteContext {
  readonly directory: Directory;
  /** Not a snapshot: it sees every commit. */
  readonly reader: StoreReader;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  /** Suffixes of domains that are accepted even if they are reserved, such as `test`. */
  readonly allowSuffixes: () => readonly string[];
  readonly explain: (domain: Domain, options: { visits: number; now: number }) => Explanation;
  /** The crawler's description from the settings in force. */
  readonly about: () => About;
  /** What the last export wrote; null before the first one. */
  readonly data: () => DataFolder | null;
  /** The health of this process and of the crawler in it. */
  readonly status: () => CrawlerStatus;
  /** Null when the pages offer no checks. */
  readonly check: CheckForUser | null;
  readonly submissions: Submit;
  /** Default: that of a directory without a name of its own. */
  readonly brand?: Brand | undefined;
  readonly now: () => EpochMs;
}

export interface SiteRequest {
  /** From the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Origin by which the client reached the site. An answer that contains it needs {@link PRIVATE}. */
  readonly origin: string;
  readonly isHead: boolean;
  /** Whether a page of another site caused the request. */
  readonly isCrossSite: boolean;
  /** Counts the request against the hourly limit of the client, which submissions and checks share; returns the seconds to wait, 0 when the request is allowed. */
  readonly countAgainstLimit: () => Promise<number>;
}

/** The answer to a request for a page: HTML by default. */
export interface SiteAnswer {
  readonly status?: number;
  /** Default: `text/html; charset=utf-8`. */
  readonly type?: string;
  readonly body?: string | Buffer;
  /** Answers with a redirect (303) to this URL. */
  readonly location?: string;
  /** Default: one minute. */
  readonly cacheControl?: string;
  /** Seconds after which the page reloads itself; null, the default: never. */
  readonly refreshSeconds?: number | null;
}

/** For answers that contain the origin of the request: the client chooses it, so shared caches must not store them. */
export const PRIVATE = { cacheControl: 'private, max-age=60' } as const;

/** A page of the live site. */
export interface SitePage {
  /** In OpenAPI form: `/instances/{domain}`. Served with and without a final slash. */
  readonly path: string;
  /** @throws {PageError} */
  answer(request: SiteRequest, context: SiteContext, site: Site): string | SiteAnswer | Promise<string | SiteAnswer>;
}
