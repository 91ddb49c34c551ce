import type { SourceHttp } from '../http/source-http.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainRefusal } from '../model/domain/parse-domain.ts';
import type { EpochMs } from '../model/time.ts';
import type { SelectHtml } from './html/html-selector.ts';

/** Supplies candidate domains. */
export interface Source {
  /** The kind, as `type` in the settings: `file`. */
  readonly type: string;
  /** Its stable identity: the setting `id`, or the kind and its target (`mastodon-peers https://x.example`). */
  readonly key: string;
  /** Human-readable target: the path or URL. */
  readonly label: string;
  /** The host it requests, with any explicit port, so that only one source per host runs at a time; null for a local source. */
  readonly host: string | null;
  /**
   * Runs the source once: yields one item per line or entry, in order, and returns how the run ended. A source that fails after its first
   * items ends `partial`; only a read error of a file throws then too. Calling `return` on the generator ends the running request.
   *
   * @throws {SourceError} when nothing can be read.
   * @throws the reason of the signal, or an error caused by it, when it aborts; some sources return `partial` instead.
   */
  read(context: SourceContext): AsyncGenerator<SourceItem, SourceEnd>;
}

/** The environment of a run. */
export interface SourceContext {
  /** HTTP client; null when only local sources may run. */
  readonly http: SourceHttp | null;
  /** Validators of the last complete run, for a conditional request; null reads in full. */
  readonly previous: Pick<SourceEnd, 'etag' | 'lastModified'> | null;
  readonly selectHtml: SelectHtml;
  readonly signal: AbortSignal;
  readonly now: () => EpochMs;
}

/**
 * How a run ended. `unchanged`: same content as in the last run, no items yielded. `partial`: it failed midway or reached a limit, as
 * described by `why`.
 */
export interface SourceEnd {
  readonly outcome: 'complete' | 'unchanged' | 'partial';
  /** One phrase; null when complete or unchanged. */
  readonly why: string | null;
  /** Validators for the next run, as received (RFC 9110 section 8.8); for a file, its size and modification time. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Requests sent, including robots.txt and redirects. */
  readonly requests: number;
  /** Bytes of lists read, after decompression. */
  readonly bytes: number;
  /** Retry-After of the server, in milliseconds; null or absent without one. */
  readonly retryAfterMs?: number | null;
}

/** `bad-record`: the line or entry is malformed, so it contains no text to parse as a domain. */
export type SourceRefusal = DomainRefusal | 'bad-record';

/**
 * One line (text), record (CSV) or entry (JSON). `line` counts from 1: the line of the file where it starts, or its position in a list.
 * `blank` is an empty line, a comment, a header or a link that leads to no other host.
 */
export type SourceItem =
  | {
      readonly kind: 'domain';
      readonly line: number;
      readonly domain: Domain;
      /** The software reported by the source, in lower case, at most 64 characters; null when it reports none. */
      readonly software: string | null;
    }
  | { readonly kind: 'blank'; readonly line: number }
  | RefusedItem;

export interface RefusedItem {
  readonly kind: 'refused';
  readonly line: number;
  /** The rejected text, safe to display: at most 200 characters, no control characters. */
  readonly text: string;
  readonly reason: SourceRefusal;
  readonly detail: string;
}

interface SourceErrorOptions extends ErrorOptions {
  /** `setting`: the settings are wrong (a path, a selector). `failure`: a remote or temporary problem (404, HTML, robots.txt, DNS). */
  kind?: 'setting' | 'failure';
  /** Whether the server refuses access: 401, 403 or a challenge page. */
  isDenied?: boolean;
  /** Retry-After of the server. */
  retryAfterMs?: number | null;
}

/** Nothing of a source can be read. The message is one sentence: source, problem, cure. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly kind: 'setting' | 'failure';
  readonly isDenied: boolean;
  readonly retryAfterMs: number | null;

  constructor(subject: string, problem: string, cure: string, options: SourceErrorOptions = {}) {
    super(`${subject} ${problem}; ${cure}.`, options);
    this.kind = options.kind ?? 'setting';
    this.isDenied = options.isDenied ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
