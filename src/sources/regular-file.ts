import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';

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

/** A line without its line break. `number` counts from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Characters; longer lines are truncated. */
export const MAX_LINE_LENGTH = 65_536;

/**
 * The lines of a file, in constant memory: longer lines are truncated. UTF-8, or UTF-16 with a byte order mark; lines end in LF or CRLF,
 * optional after the last.
 *
 * @throws {NoRegularFileError} when the path is another type of file.
 * @throws the file system's error when the file cannot be read.
 */
export async function* readLines(path: string, signal?: AbortSignal): AsyncGenerator<Line> {
  let decoder: TextDecoder | undefined;
  let number = 0;
  let pending = '';
  for await (const chunk of readRegularFile(path, signal)) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const piece = decoder.decode(chunk, { stream: true });
    let start = 0;
    // Sliced on demand: unconsumed lines take no extra memory.
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      number += 1;
      yield { number, text: append(pending, piece.slice(start, end)).replace(/\r$/, '') };
      pending = '';
      start = end + 1;
    }
    pending = append(pending, piece.slice(start));
  }
  pending = append(pending, decoder?.decode() ?? '');
  if (pending !== '') yield { number: number + 1, text: pending.replace(/\r$/, '') };
}

function append(pending: string, piece: string): string {
  return pending.length >= MAX_LINE_LENGTH ? pending : (pending + piece).slice(0, MAX_LINE_LENGTH);
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
