import { open } from 'node:fs/promises';
import type { FoundText } from './found-text.ts';
import { ReadError } from './read-error.ts';

/**
 * Reads a file whole, unless it is the one known by `etag`. The size and the time of its last change stand for a validator: an export
 * replaces a file in one step, so what is open never changes.
 *
 * @throws {ReadError} `unreachable` or `too-large`.
 */
export async function readTextFile(
  path: string,
  known: string | null,
  maxBytes: number,
): Promise<FoundText | 'unchanged'> {
  try {
    await using file = await open(path, 'r');
    const status = await file.stat();
    if (!status.isFile()) throw new ReadError(path, 'unreachable', 'it is no file; name the instances.json in it');
    const etag = `"${status.size.toString(16)}-${Math.round(status.mtimeMs).toString(16)}-${status.ino.toString(16)}"`;
    if (etag === known) return 'unchanged';
    if (status.size > maxBytes) throw new ReadError(path, 'too-large', `it has more than ${maxBytes} bytes (maxBytes)`);
    const text = new TextDecoder().decode(await file.readFile());
    return { text, etag, lastModified: status.mtime.toUTCString() };
  } catch (error) {
    if (error instanceof ReadError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
    const why = code === 'ENOENT' ? 'there is no such file' : `the file cannot be opened (${code})`;
    throw new ReadError(path, 'unreachable', why, { cause: error });
  }
}
