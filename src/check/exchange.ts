import type { IncomingHttpHeaders } from 'node:http';
import type { HttpFailure } from '../http/failure.ts';

/**
 * One request of a check, and what came of it. Redirects are not followed, but for those of a document within the host: of these, it is
 * the last answer. Where a redirect leads is in its `location`.
 */
export interface Exchange {
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  url: string;
  /** Null when no answer began. */
  status: number | null;
  /** Empty when no answer began. */
  headers: IncomingHttpHeaders;
  /** Decompressed; empty when none came. */
  body: Uint8Array;
  /** The whole request with its connection, in milliseconds. */
  ms: number;
  /** Why there is no usable answer; null when there is one, whatever its status. */
  failure: HttpFailure | null;
  /** What the failure alone does not say. */
  detail: string | null;
  /** The addresses that redirected to this one, in order; empty when it was asked for at once. */
  followed: readonly string[];
}
