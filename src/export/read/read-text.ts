import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ReadError } from './read-error.ts';

/** A text with the validators for a later conditional read (RFC 9110, section 8.8). */
interface ReadText {
  readonly text: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/**
 * Reads a file, unless its etag equals `knownEtag`. The etag consists of size, modification time and inode: an export never writes to a
 * published file but replaces it by renaming, so every new content has another inode.
 *
 * @throws {ReadError} `unreachable` or `too-large`.
 */
export async function readTextFile(
  path: string,
  knownEtag: string | null,
  maxBytes: number,
): Promise<ReadText | 'unchanged'> {
  try {
    await using file = await open(path, 'r');
    const status = await file.stat();
    if (!status.isFile())
      throw new ReadError(path, 'unreachable', 'it is not a file; name the instances.json inside it');
    const etag = `"${status.size.toString(16)}-${Math.round(status.mtimeMs).toString(16)}-${status.ino.toString(16)}"`;
    if (etag === knownEtag) return 'unchanged';
    if (status.size > maxBytes) throw new ReadError(path, 'too-large', `it has more than ${maxBytes} bytes (maxBytes)`);
    const text = await textOf(await file.readFile(), path, maxBytes);
    return { text, etag, lastModified: status.mtime.toUTCString() };
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
    const why = code === 'ENOENT' ? 'there is no such file' : `the file cannot be opened (${code})`;
    throw new ReadError(path, 'unreachable', why, { cause: error });
  }
}

interface FetchTextOptions {
  /** Validators of the caller's copy; null if it has none. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Time limit for the complete response, including the body. */
  readonly timeoutMs: number;
  /** Size limit after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Fetches a text, unless the caller's copy is current (If-None-Match, If-Modified-Since: RFC 9110, section 13.1).
 *
 * @throws {ReadError} when no complete response was received; the reason of the signal when the caller aborts.
 */
export async function fetchText(url: URL, options: FetchTextOptions): Promise<ReadText | 'unchanged'> {
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
      throw new ReadError(name, 'status', `the server answered with status ${response.status}`, {
        status: response.status,
      });
    }
    const text = await readBody(response, name, maxBytes);
    return { text, etag: response.headers.get('etag'), lastModified: response.headers.get('last-modified') };
  } catch (error) {
    if (error instanceof ReadError) throw error;
    signal?.throwIfAborted();
    if (timeout.aborted) {
      throw new ReadError(name, 'timed-out', `no complete response within ${timeoutMs} ms (timeoutMs)`, {
        cause: error,
      });
    }
    throw new ReadError(name, 'unreachable', `no complete response (${innermostMessage(error)})`, { cause: error });
  }
}

/** Leaving the loop early cancels the body and with it the connection. */
async function readBody({ body }: Response, name: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new ReadError(name, 'too-large', `it has more than ${maxBytes} bytes (maxBytes)`);
    chunks.push(chunk);
  }
  return await textOf(Buffer.concat(chunks), name, maxBytes);
}

/** The text of a file, which may be compressed with gzip (RFC 1952), as the dated files of an export are. */
async function textOf(bytes: Uint8Array, name: string, maxBytes: number): Promise<string> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  try {
    const options = Number.isFinite(maxBytes) ? { maxOutputLength: maxBytes } : {};
    return new TextDecoder().decode(await promisify(gunzip)(bytes, options));
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new ReadError(name, 'too-large', `it has more than ${maxBytes} bytes (maxBytes)`, { cause });
    }
    throw new ReadError(name, 'not-json', 'its gzip data is damaged or incomplete', { cause });
  }
}

/** `fetch` throws only "fetch failed"; the actual error is its cause. */
function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return innermostMessage(error.cause);
  return 'code' in error ? String(error.code) : error.message;
}
