import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { InstanceCounts } from '../../directory/schema/instances-file.ts';
import { type ParsedInstances, parseInstances, type ReadInstance } from './parse-instances.ts';
import { ReadError } from './read-error.ts';
import { fetchText, readTextFile } from './read-text.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** At least two characters: a single letter is the drive of a Windows path. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** The result of a read, with its validators. Plain data: it can be stored as JSON. */
export interface InstancesState {
  /** Validators of the response (RFC 9110, section 8.8); null when it had none. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** When the export was written, ISO 8601 in UTC. */
  readonly generatedAt: string;
  readonly counts: InstanceCounts;
  /** The listed instances, sorted by domain. */
  readonly instances: readonly ReadInstance[];
  /** Number of invalid entries, left out: a field of the wrong type, no host name, or a `url` of another domain. */
  readonly skipped: number;
}

export interface ReadInstancesOptions {
  /** The result of an earlier call for the same source, to avoid transferring unchanged data. */
  readonly previous?: InstancesState | undefined;
  /** HTTP time limit for the complete response in milliseconds, from 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number;
  /** Maximum bytes after decompression; `Infinity` for no limit. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Headers of HTTP requests, such as `authorization` or `user-agent`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The state to pass as `previous` to the next call, and whether it changed. */
export interface InstancesRead extends InstancesState {
  readonly changed: boolean;
}

/**
 * Reads an `instances.json`. Drops fields added by later versions, replaces enum values that this version does not know by null, drops flags
 * that it does not know, and leaves out and counts invalid entries.
 * Refuses a file with another `schemaVersion`, or with only invalid entries.
 *
 * @param source path of the file, or its `http:`, `https:` or `file:` URL.
 * @throws {ReadError} when the source cannot be read.
 * @throws the reason of `signal` when that aborts.
 * @throws {TypeError} for an invalid option.
 */
export async function readInstances(source: string | URL, options: ReadInstancesOptions = {}): Promise<InstancesRead> {
  checkOptions(options);
  const { previous, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, headers = {}, signal } = options;
  const { etag = null, lastModified = null } = previous ?? {};
  const target = targetOf(source);
  signal?.throwIfAborted();
  const found =
    typeof target === 'string'
      ? await readTextFile(target, etag, maxBytes)
      : await fetchText(target, { etag, lastModified, headers, timeoutMs, maxBytes, signal });
  if (found === 'unchanged') return { ...(previous as InstancesState), changed: false };
  const { etag: newTag, lastModified: newTime } = found;
  const read = parseInstances(found.text, String(target));
  return { etag: newTag, lastModified: newTime, ...read, changed: !isSame(read, previous) };
}

/** Whether the content equals the previous one. Validators cannot tell: a server may send none, or new ones for the same content. */
function isSame(read: ParsedInstances, previous: InstancesState | undefined): boolean {
  if (previous === undefined) return false;
  const { generatedAt, counts, instances, skipped } = previous;
  return isDeepStrictEqual(read, { generatedAt, counts, instances, skipped });
}

/** A path, or a URL to fetch. */
function targetOf(source: string | URL): string | URL {
  if (typeof source === 'string' && !SCHEME.test(source)) return source;
  const url = URL.parse(String(source));
  if (url?.protocol === 'file:') return pathOf(url);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new ReadError(String(source), 'no-address', 'give a path, or a URL that begins with http:, https: or file:');
  }
  if (url.username !== '' || url.password !== '') {
    url.username = url.password = '';
    throw new ReadError(url.href, 'no-address', 'its URL has a name and password; give them as headers.authorization');
  }
  return url;
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const why = 'it names no file of this machine; give a path, or a URL such as file:///srv/instances.json';
    throw new ReadError(url.href, 'no-address', why, { cause });
  }
}

/** Timers of more than 31 bits fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws {TypeError} for an invalid option, with its value and the expected one. */
function checkOptions({
  timeoutMs = TIMEOUT_MS,
  maxBytes = MAX_BYTES,
  headers = {},
  previous,
}: ReadInstancesOptions): void {
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMER_MS)) {
    throw new TypeError(`timeoutMs is ${timeoutMs}; give milliseconds from 1 to ${MAX_TIMER_MS}`);
  }
  if (!(maxBytes >= 1)) throw new TypeError(`maxBytes is ${maxBytes}; give a number of bytes, or Infinity for any`);
  for (const [name, value] of Object.entries(headers)) {
    if (!canBeSent(name, value)) throw new TypeError(`headers.${name} is not a valid header`);
  }
  for (const name of ['etag', 'lastModified'] as const) {
    const value = previous?.[name] ?? null;
    // Any header name serves to test the value.
    if (value !== null && !canBeSent('if-none-match', value)) {
      throw new TypeError(`previous.${name} is not a valid validator; omit previous to read everything`);
    }
  }
}

function canBeSent(name: string, value: unknown): boolean {
  try {
    new Headers().set(name, value as string);
    return typeof value === 'string';
  } catch {
    return false;
  }
}
