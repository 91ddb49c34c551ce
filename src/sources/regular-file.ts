import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type Line, linesOf } from './formats/lines.ts';

/** The path is not a regular file. */
export class NoRegularFileError extends Error {
  override readonly name = 'NoRegularFileError';
  /** The actual type, as in "it is a FIFO". */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}, not a regular file`);
    this.kind = kind;
  }
}

/**
 * @throws {NoRegularFileError} when the path is another type of file.
 * @throws the file system's error when there is no file.
 */
export async function statRegularFile(path: string): Promise<Stats> {
  const stats = await stat(path);
  requireRegular(path, stats);
  return stats;
}

/**
 * Streams a regular file up to its size at opening. Other types of file are refused, because they may never end.
 *
 * @throws {NoRegularFileError} when the path is another type of file.
 * @throws the file system's error when the file cannot be read.
 */
export async function* readRegularFile(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  // Opening a FIFO would wait for a writer; opening a device can have side effects.
  await statRegularFile(path);
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat();
    requireRegular(path, stats);
    if (stats.size === 0) return;
    const bytes = file.createReadStream({ end: stats.size - 1, autoClose: false, signal });
    // The iteration throws the error of an abort; the stream may emit it after the iteration has removed its listeners.
    bytes.on('error', () => undefined);
    yield* bytes as AsyncIterable<Buffer>;
  } finally {
    await file.close();
  }
}

function requireRegular(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new NoRegularFileError(path, kindOf(stats));
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

/**
 * The lines of a file, as {@link linesOf} reads them.
 *
 * @throws {NoRegularFileError} when the path is another type of file.
 * @throws the file system's error when the file cannot be read.
 */
export function readLines(path: string, signal?: AbortSignal): AsyncGenerator<Line> {
  return linesOf(readRegularFile(path, signal));
}
