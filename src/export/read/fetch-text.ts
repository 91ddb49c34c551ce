import type { FoundText } from './found-text.ts';
import { ReadError } from './read-error.ts';

export interface FetchTextOptions {
  /** Of what the caller has; null for what it does not have. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** For the whole answer, its body included. */
  readonly timeoutMs: number;
  /** After decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks for a text, unless it is the one the caller has (If-None-Match, If-Modified-Since: RFC 9110, section 13.1).
 *
 * @throws {ReadError} when there is no whole answer; the reason of the signal when the caller aborts.
 */
export async function fetchText(url: URL, options: FetchTextOptions): Promise<FoundText | 'unchanged'> {
  const { etag, lastModified, timeoutMs, maxBytes, signal } = options;
  const name = url.href;
  const isConditional = etag !== null || lastModified !== null;
  const headers = new Headers({ accept: 'application/json', ...options.headers });
  if (etag !== null) headers.set('if-none-match', etag);
  if (lastModified !== null) headers.set('if-modified-since', lastModified);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.any(signal ? [signal, timeout] : [timeout]) });
    if (response.status === 304 && isConditional) return 'unchanged';
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new ReadError(name, 'status', `it is answered with status ${response.status}`, { status: response.status });
    }
    const text = await readBody(response, name, maxBytes);
    return { text, etag: response.headers.get('etag'), lastModified: response.headers.get('last-modified') };
  } catch (error) {
    if (error instanceof ReadError) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted) {
      throw new ReadError(name, 'timed-out', `the whole did not come in ${timeoutMs} ms (timeoutMs)`, { cause: error });
    }
    throw new ReadError(name, 'unreachable', `no whole answer came (${innermost(error)})`, { cause: error });
  }
}

/** Leaving the loop early cancels the body and with it the connection. */
async function readBody({ body }: Response, name: string, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ReadError(name, 'too-large', `it has more than ${maxBytes} bytes (maxBytes)`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What `fetch` throws says only "fetch failed"; what failed is its cause. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return innermost(error.cause);
  return 'code' in error ? String(error.code) : error.message;
}
