import type { IncomingHttpHeaders } from 'node:http';

/** Validators of a conditional request (RFC 9110 section 13.1); status 304 then means unchanged. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface SourceRequest {
  /** The Accept header. */
  accept: string;
  /** Sent as JSON with POST; without it, the request is a GET. */
  json?: unknown;
  conditions?: Validators | null;
  /** Maximum size of the body after decompression; reading a longer body throws. */
  maxBytes: number;
}

export interface SourceAnswer {
  kind: 'answer';
  status: number;
  /** The URL after redirects. */
  url: URL;
  headers: IncomingHttpHeaders;
  etag: string | null;
  lastModified: string | null;
  /** The Retry-After header; null without one. */
  retryAfterMs: number | null;
  /** Can be read once, or ignored. Throws a `BodyError` when it ends early. */
  body: AsyncIterable<Uint8Array>;
}

/** A request that was not allowed, or got no usable answer. */
export interface SourceRefusal {
  kind: 'failure';
  /** A failure code or one phrase. */
  why: string;
  retryAfterMs: number | null;
}

/** The client of one source run, with its own connection pool. */
export interface SourceClient {
  /**
   * Sends one request at a time. Unless the setting `robots` is `off`, reads and obeys the robots.txt of the host first, including its
   * Crawl-delay. Follows at most 3 redirects, to the same host or to https; every hop is guarded.
   */
  request(url: URL, request: SourceRequest): Promise<SourceAnswer | SourceRefusal>;
  /** Waits; resolves early when the run ends. */
  wait(ms: number): Promise<void>;
  /** Time left for the run, in milliseconds. */
  leftMs(): number;
  /** Requests sent so far, robots.txt and redirects included. */
  requests(): number;
  /** Ends the running request and closes every connection. */
  close(): void;
}

export interface SourceRunLimits {
  /** Time limit of the run, in milliseconds. */
  withinMs: number;
  signal: AbortSignal;
}

/** The HTTP client of sources: guarded, streamed, bounded. */
export interface SourceHttp {
  open(limits: SourceRunLimits): SourceClient;
}
