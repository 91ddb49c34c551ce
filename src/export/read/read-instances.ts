import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { InstanceCounts } from '../../views/schema/instances-file.ts';
import { fetchText, readTextFile } from './find-text.ts';
import { type ParsedInstances, parseInstances, type ReadInstance } from './parse-instances.ts';
import { ReadError } from './read-error.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Two letters at least: one is the drive of a Windows path. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/** What was read, and what tells later whether it changed. Plain data: it can be kept as JSON. */
export interface InstancesState {
  /** Validators of the answer (RFC 9110, section 8.8); null when it had none. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** When the export was written, ISO 8601 in UTC. */
  readonly generatedAt: string;
  readonly counts: InstanceCounts;
  /** The listed instances, sorted by domain. */
  readonly instances: readonly ReadInstance[];
  /** Entries of the file that are not among them: a field of the wrong type, no host name, or a `url` that is not of their domain. */
  readonly skipped: number;
}

export interface ReadInstancesOptions {
  /** What an earlier call answered for the same source; what has not changed since is not sent again. */
  readonly previous?: InstancesState | undefined;
  /** Of HTTP requests: for the whole answer, from 1 to 2,147,483,647. Default 30 s. */
  readonly timeoutMs?: number;
  /** The most bytes taken, after decompression; `Infinity` for any number. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Sent with HTTP requests, as `authorization` or `user-agent`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The state to pass back as `previous`, and whether it differs from the one that was passed. */
export interface InstancesRead extends InstancesState {
  readonly changed: boolean;
}

/**
 * Reads an `instances.json`. Fields that a later version of it adds are left out, words of later versions are null, and an entry that
 * is odd is left out and counted; a file of another `schemaVersion`, or one without any entry that can be used among those it has, is
 * refused.
 *
 * @param source path of the file, or its `http:`, `https:` or `file:` URL.
 * @throws {ReadError} with one sentence; the reason of `signal` when that aborts.
 * @throws {TypeError} naming the option that cannot be used.
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

/** A server without validators sends it all again; and one may have other ones for what says the same. */
function isSame(read: ParsedInstances, previous: InstancesState | undefined): boolean {
  if (previous === undefined) return false;
  const { generatedAt, counts, instances, skipped } = previous;
  return isDeepStrictEqual(read, { generatedAt, counts, instances, skipped });
}

/** A path, or the URL of something to fetch. */
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
    const why = 'it names no file of this machine; give a path, or file: and three slashes before one';
    throw new ReadError(url.href, 'no-address', why, { cause });
  }
}

interface Checked {
  readonly previous?: { readonly etag: string | null; readonly lastModified: string | null } | undefined;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Timers of more than 31 bits run out at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** @throws {TypeError} naming the option that cannot be used, what it is, and what it should be. */
function checkOptions({ timeoutMs = 1, maxBytes = 1, headers = {}, previous }: Checked): void {
  if (!(timeoutMs >= 1 && timeoutMs <= LONGEST_MS)) {
    throw new TypeError(`timeoutMs is ${timeoutMs}; give milliseconds from 1 to ${LONGEST_MS}`);
  }
  if (!(maxBytes >= 1)) throw new TypeError(`maxBytes is ${maxBytes}; give a number of bytes, or Infinity for any`);
  for (const [name, value] of Object.entries(headers)) {
    if (!canBeSent(name, value)) throw new TypeError(`headers.${name} is no header that can be sent`);
  }
  for (const name of ['etag', 'lastModified'] as const) {
    const value = previous?.[name] ?? null;
    if (value !== null && !canBeSent('if-none-match', value)) {
      throw new TypeError(`previous.${name} is no text that a server sent; leave previous out, and all is read anew`);
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
