import { pipeline, Readable, type Transform } from 'node:stream';
import { createDecoder, maxEncodedBytes } from './decoder.ts';
import { failureOf, findAnswerError } from './failure.ts';

/** A body that ended early. The message is one phrase. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
}

/** The BodyError that an error is or wraps; null when there is none. */
export function findBodyError(error: unknown): BodyError | null {
  if (error instanceof BodyError) return error;
  return error instanceof Error && error.cause instanceof BodyError ? error.cause : null;
}

interface BodyLimits {
  /** Size limit after decompression. */
  maxBytes: number;
  /** Longest wait for the next chunk. */
  stallMs: number;
}

/**
 * Streams and decompresses the body of an answer. Chunks are read on demand, so memory does not grow with its length.
 *
 * @throws {BodyError} when the body stalls, ends early, cannot be decoded or exceeds its limit; the chunks before that have been yielded.
 */
export async function* streamBody(
  stream: Readable,
  encoding: string | undefined,
  { maxBytes, stallMs }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of decoded(rawChunks(stream, { maxBytes, stallMs }), encoding)) {
      const room = maxBytes - bytes;
      bytes += chunk.length;
      yield chunk.length > room ? chunk.subarray(0, room) : chunk;
      if (bytes > maxBytes) throw tooLong(maxBytes);
    }
  } catch (error) {
    throw asBodyError(error);
  } finally {
    stream.destroy();
  }
}

const tooLong = (maxBytes: number) => new BodyError(`it is longer than ${maxBytes} bytes`);

/** The raw chunks; the stall timer runs only while the consumer waits for one. */
async function* rawChunks(stream: Readable, { maxBytes, stallMs }: BodyLimits): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  let received = 0;
  let bytes = 0;
  for (;;) {
    const receivedBefore = received;
    const failIfStalled = () => {
      if (received === receivedBefore) stream.destroy(new BodyError(`no data for ${stallMs / 1_000} s`));
    };
    // After a blocked event loop, timers run before sockets are read; the immediate lets data that has arrived be read first.
    const timer = setTimeout(() => setImmediate(failIfStalled), stallMs);
    const next = await chunks.next().finally(() => clearTimeout(timer));
    received += 1;
    if (next.done === true) return;
    yield next.value;
    bytes += next.value.length;
    if (bytes > maxEncodedBytes(maxBytes)) throw tooLong(maxBytes);
  }
}

/** Undoes the Content-Encoding; choosing the decoder needs the first bytes. */
async function* decoded(chunks: AsyncGenerator<Uint8Array>, encoding: string | undefined): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  if (first.done === true) return;
  const decoder = createDecoder(encoding, first.value);
  if (decoder === null) {
    yield first.value;
    yield* chunks;
    return;
  }
  async function* allChunks() {
    yield first.value;
    yield* chunks;
  }
  const cut = endAtCut(decoder);
  // An error in the chunks destroys the decoder with the same error, which is thrown below.
  pipeline(Readable.from(allChunks(), { objectMode: false }), decoder, () => undefined);
  let start: number | undefined;
  let end: number | undefined;
  for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
    start ??= chunk.find(isNoSpace);
    end = chunk.findLast(isNoSpace) ?? end;
    yield chunk;
  }
  // Hosting platforms and proxies cut the end of compressed bodies. Of JSON, its reader sees whether it is whole; nothing shows that of a text.
  const isJson = (start === 0x5b && end === 0x5d) || (start === 0x7b && end === 0x7d);
  if (cut.error !== null && !isJson) throw cut.error;
}

const isNoSpace = (byte: number) => byte > 0x20;

/** Makes a decoder end where its input is cut, and keep that error: destroyed by it, the decoder would lose its last output. */
function endAtCut(decoder: Transform): { error: Error | null } {
  const cut: { error: Error | null } = { error: null };
  const destroy = decoder.destroy;
  decoder.destroy = (error?: NodeJS.ErrnoException) => {
    if (error?.code !== 'Z_BUF_ERROR' || cut.error !== null) return destroy.call(decoder, error);
    cut.error = error;
    decoder.push(null);
    return decoder;
  };
  return cut;
}

/** Returns an error unchanged if it is a bug of ours. */
function asBodyError(error: unknown): unknown {
  const bodyError = findBodyError(error);
  if (bodyError !== null) return bodyError;
  const why = describeFailure(error);
  return why === null ? error : new BodyError(why, { cause: error });
}

/** One phrase, or the failure code; null when the error is a bug of ours. */
export function describeFailure(error: unknown): string | null {
  return findAnswerError(error)?.message ?? failureOf(error);
}
