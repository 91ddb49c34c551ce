import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { TextDecoder } from 'node:util';

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

/** A line without its end. `number` counts from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** What is read of a longer line; no line with a domain comes near it. */
export const LONGEST_LINE = 65_536;

/**
 * The lines of a file, in constant memory whatever their length: of a longer line, the first 65,536 characters. UTF-8,
 * or UTF-16 when a byte order mark says so; lines end in LF or CRLF; the file may end without one.
 * @throws {NoRegularFileError} of what is none; the file system's error when the file cannot be read
 */
export async function* readLines(path: string, signal?: AbortSignal): AsyncGenerator<Line> {
  let decoder: TextDecoder | undefined;
  let number = 0;
  let pending = '';
  for await (const chunk of readRegularFile(path, signal)) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const piece = decoder.decode(chunk, { stream: true });
    let start = 0;
    // Cut off one by one: a line that nobody has asked for yet takes no memory of its own.
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', start)) {
      number += 1;
      yield { number, text: joined(pending, piece.slice(start, end)).replace(/\r$/, '') };
      pending = '';
      start = end + 1;
    }
    pending = joined(pending, piece.slice(start));
  }
  pending = joined(pending, decoder?.decode() ?? '');
  if (pending !== '') yield { number: number + 1, text: pending.replace(/\r$/, '') };
}

function joined(pending: string, piece: string): string {
  return pending.length >= LONGEST_LINE ? pending : (pending + piece).slice(0, LONGEST_LINE);
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
