import type { JsonPath } from './select-json.ts';

/** What an entry of a list says. A host that is no string is refused as a bad record; a software that is none is unknown. */
export interface ListEntry {
  readonly host: unknown;
  readonly software?: unknown;
}

/** What was read of a page. */
export interface PageSummary {
  readonly entries: number;
  /** Of `values`, in their order. */
  readonly values: readonly unknown[];
}

/** One request for a part of a list, or for all of it. */
export interface ListPage {
  readonly url: URL;
  /** Posted; unless given, the page is asked for with GET. */
  readonly json?: unknown;
  /** Where the entries stand. */
  readonly entries: JsonPath;
  /** Single values beside the entries that `next` goes by. */
  readonly values?: readonly JsonPath[];
  readonly read: (entry: unknown) => ListEntry;
  /** The page after this one, null after the last. Unless given, the page is the whole list, and the next reading is conditional if it is asked for with GET. */
  readonly next?: (seen: PageSummary) => ListPage | null;
  /** What is wrong with a document that has no such list, if it says so itself. */
  readonly complaint?: JsonPath;
}

/** A list in the words of its kind. */
export interface ListPlan {
  readonly first: ListPage;
  /** What it means that the server answers with this status, and what the owner can do; null for the usual words. */
  readonly statusWords?: (status: number) => { problem: string; cure: string } | null;
}
