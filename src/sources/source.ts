import type { SourceHttp } from '../http/source-http.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainRefusal } from '../model/domain/parse-domain.ts';
import type { SelectHtml } from './html/html-selection.ts';

/** Somewhere that candidate domains come from. */
export interface Source {
  /** The kind, as `type` in the settings: `file`. */
  readonly type: string;
  /** Its stable identity: the setting `id`, or the kind and what it reads (`mastodon-peers https://x.example`). */
  readonly key: string;
  /** Which one of its kind, for people: the path, the URL. */
  readonly label: string;
  /** The host that is asked, with its port if it names one, so that no two are read from one host at a time; null for what asks nobody. */
  readonly host: string | null;
  /**
   * One reading: every line or entry in order, one item each, so that nothing read goes uncounted. Each call reads anew. What it
   * returns at its end says how far it came: a source that breaks half-way keeps what it yielded and ends `partial`. A reader who
   * stops early calls `return` on the generator, which ends the request under way.
   * @throws SourceError when nothing of it can be read
   */
  read(context: SourceContext): AsyncGenerator<SourceItem, SourceEnd>;
}

/** What a reading goes by. */
export interface SourceContext {
  /** How other people's servers are asked. Null: they are not, and only files can be read. */
  readonly http: SourceHttp | null;
  /** What the last reading that came to its end returned, for a conditional request. Null: read in full. */
  readonly previous: Pick<SourceEnd, 'etag' | 'lastModified'> | null;
  /** How a page of HTML is taken apart. */
  readonly selectHtml: SelectHtml;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * How a reading ended. `unchanged`: it is as it was at the last reading, and nothing was yielded. `partial`: it broke half-way, or a
 * limit cut it off; `why` says which.
 */
export interface SourceEnd {
  readonly outcome: 'complete' | 'unchanged' | 'partial';
  /** One phrase; null when complete or unchanged. */
  readonly why: string | null;
  /** What the next reading is conditional on, as it was sent (RFC 9110 section 8.8); of a file, its size and time of change. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Sent to the source, robots.txt and redirects included. */
  readonly requests: number;
  /** Read of its lists, after decompression. */
  readonly bytes: number;
  /** How long the server asks to be left alone, in milliseconds. Null or not given: it does not. */
  readonly retryAfterMs?: number | null;
}

/** `bad-record`: the line or entry does not have the form of its format, so there is no text to read a domain from. */
export type SourceRefusal = DomainRefusal | 'bad-record';

/**
 * What one line (text), record (CSV) or entry (JSON) holds. `line` counts from 1: the line of the file where it starts,
 * in a list the place in it. `blank` is one that is empty, a comment or a header.
 */
export type SourceItem =
  | {
      readonly kind: 'domain';
      readonly line: number;
      readonly domain: Domain;
      /** What the source says that it runs, in small letters, at most 64 characters; null when it says nothing. */
      readonly software: string | null;
    }
  | { readonly kind: 'blank'; readonly line: number }
  | RefusedItem;

export interface RefusedItem {
  readonly kind: 'refused';
  readonly line: number;
  /** What was written, made fit to show: at most 200 characters, no control characters. */
  readonly text: string;
  readonly reason: SourceRefusal;
  readonly detail: string;
}
