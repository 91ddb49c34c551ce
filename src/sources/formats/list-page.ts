import type { JsonPath } from './select-json.ts';

/** The fields of a list entry. A host that is not a string is refused as a bad record; software that is not a string is unknown. */
export interface ListEntry {
  readonly host: unknown;
  readonly software?: unknown;
}

/** The result of reading a page. */
export interface PageSummary {
  /** The URL of the page after redirects. */
  readonly url: URL;
  readonly entries: number;
  /** The values at {@link ListPage.values}, in the same order. */
  readonly values: readonly unknown[];
}

/** One request for a list or a part of it. */
export interface ListPage {
  readonly url: URL;
  /** Sent with POST; without it, the request is a GET. */
  readonly json?: unknown;
  /** Path of the entries. */
  readonly entries: JsonPath;
  /** Paths of single values outside the entries, for `next`. */
  readonly values?: readonly JsonPath[];
  readonly read: (entry: unknown) => ListEntry;
  /** The next page; null after the last; a text says why it cannot be read. */
  readonly next?: (page: PageSummary) => ListPage | string | null;
  /** Whether we count the pages: after the first, one that does not exist (404) is the end of the list. */
  readonly isCounted?: boolean;
  /** Requested instead when this page does not exist (404). */
  readonly fallback?: ListPage;
  /** Path of the error message in a document without the list. */
  readonly errorPath?: JsonPath;
}

/** How one kind of source requests and reads its list. */
export interface ListPlan {
  readonly first: ListPage;
  /** The problem and cure for a status; null for the default message. */
  readonly describeStatus?: (status: number) => { problem: string; cure: string } | null;
  /** What to do when the server admits no programs; without it, a default. */
  readonly accessCure?: string;
}
