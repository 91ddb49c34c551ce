/** What a list may be asked for on condition of (RFC 9110 section 13.1): then an answer of status 304 says that it is as it was. */
export interface Conditions {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface SourceRequest {
  /** The Accept header. */
  accept: string;
  /** Sent as JSON with POST; unless given, the request is a GET. */
  json?: unknown;
  conditions?: Conditions | null;
  /** Of the body after decompression; a longer one breaks off. */
  maxBytes: number;
}

export interface SourceAnswer {
  kind: 'answer';
  status: number;
  /** Where the redirects led. */
  url: URL;
  /** The media type without parameters, in small letters; null when none is named. */
  mediaType: string | null;
  etag: string | null;
  lastModified: string | null;
  /** How long the server asks to be left alone (Retry-After); null when it does not. */
  retryAfterMs: number | null;
  /** To be read once, or left. Throws a `BodyError` where it breaks off. */
  body: AsyncIterable<Uint8Array>;
}

/** That nothing came: one phrase, a failure word of ours or what stood against it. */
export interface SourceRefusal {
  kind: 'failure';
  why: string;
  retryAfterMs: number | null;
}

/** The client of one reading of a source: one connection pool, gone with the reading. */
export interface SourceClient {
  /**
   * One request at a time. The robots.txt of the host is read first and obeyed; redirects are followed by hand, at most 3, to the
   * same host or to https; every hop is guarded. Waits as long as the host asks for between requests (Crawl-delay).
   */
  request(url: URL, request: SourceRequest): Promise<SourceAnswer | SourceRefusal>;
  /** Waits; ends at once when the reading does. */
  rest(ms: number): Promise<void>;
  /** How much of the time of the reading is left, in milliseconds. */
  leftMs(): number;
  /** Requests sent so far, robots.txt and redirects included. */
  requests(): number;
  /** Ends the request under way and closes every connection. */
  close(): void;
}

export interface SourceRunLimits {
  /** For the whole reading, in milliseconds. */
  withinMs: number;
  signal: AbortSignal;
}

/** How sources ask other people's servers: guarded, streamed, bounded. */
export interface SourceHttp {
  open(limits: SourceRunLimits): SourceClient;
}
