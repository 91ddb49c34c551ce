import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** What is read as a file is none. */
export class NoRegularFileError extends Error {
  override readonly name = 'NoRegularFileError';
  /** What there is instead, as in "it is a FIFO". */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind} and no regular file`);
    this.kind = kind;
  }
}

/**
 * What is known of a regular file.
 *
 * @throws {NoRegularFileError} of what is none; the file system's error when there is nothing.
 */
export async function statRegularFile(path: string): Promise<Stats> {
  const found = await stat(path);
  requireRegular(path, found);
  return found;
}

/**
 * The bytes of a regular file, as many as it had when it was opened: one that grows while it is read ends there. What is no file might give bytes
 * without end, or none and never end.
 *
 * @throws {NoRegularFileError} of what is none; the file system's error when it cannot be read.
 */
export async function* readRegularFile(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  // To open a FIFO would wait for somebody who writes; to open a device can do something.
  await statRegularFile(path);
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    requireRegular(path, found);
    if (found.size === 0) return;
    const bytes = file.createReadStream({ end: found.size - 1, autoClose: false, signal });
    yield* bytes as AsyncIterable<Buffer>;
  } finally {
    await file.close();
  }
}

function requireRegular(path: string, found: Stats): void {
  if (!found.isFile()) throw new NoRegularFileError(path, kindOf(found));
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a FIFO';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}
