import { pipeline, Readable } from 'node:stream';
import { createDecoder } from './decoder.ts';
import { failureOf } from './failure.ts';

/** A body that broke off. The message is one phrase. */
export class BodyError extends Error {
  override readonly name = 'BodyError';
}

/** The error itself, or the one that a client has wrapped in its own; null when it is none. */
export function bodyErrorIn(error: unknown): BodyError | null {
  if (error instanceof BodyError) return error;
  return error instanceof Error && error.cause instanceof BodyError ? error.cause : null;
}

interface BodyLimits {
  /** After decompression. */
  maxBytes: number;
  /** How long nothing may come while it is waited for. */
  stallMs: number;
}

/**
 * The body of an answer, decompressed as it comes: nothing is read before it is asked for, so that memory does not grow with its length.
 * @throws {BodyError} where it stalls, breaks off or goes beyond its limit; what came before has been yielded
 */
export async function* streamBody(
  stream: Readable,
  encoding: string | undefined,
  { maxBytes, stallMs }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of decoded(arriving(stream, stallMs), encoding)) {
      const room = maxBytes - bytes;
      bytes += chunk.length;
      yield chunk.length > room ? chunk.subarray(0, room) : chunk;
      if (bytes > maxBytes) throw new BodyError(`it is longer than ${maxBytes} bytes`);
    }
  } catch (error) {
    throw asBodyError(error);
  } finally {
    stream.destroy();
  }
}

/** A stream as it was sent; the clock runs only while somebody waits for the next chunk. */
async function* arriving(stream: Readable, stallMs: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  let isWaiting = true;
  const stalled = () => {
    if (isWaiting) stream.destroy(new BodyError(`nothing more came for ${stallMs / 1_000} s`));
  };
  for (;;) {
    isWaiting = true;
    // What arrived while nobody listened is read before the clock is believed.
    const timer = setTimeout(() => setImmediate(stalled), stallMs);
    const next = await chunks.next();
    isWaiting = false;
    clearTimeout(timer);
    if (next.done === true) return;
    yield next.value;
  }
}

/** Undoes the Content-Encoding, which is told apart by the first bytes too. */
async function* decoded(chunks: AsyncGenerator<Uint8Array>, encoding: string | undefined): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  if (first.done === true) return;
  const decoder = createDecoder(encoding, first.value);
  if (decoder === null) {
    yield first.value;
    yield* chunks;
    return;
  }
  async function* whole() {
    yield first.value;
    yield* chunks;
  }
  // What goes wrong in the chunks destroys the decoder with the same error, and that is thrown here.
  pipeline(Readable.from(whole(), { objectMode: false }), decoder, () => undefined);
  yield* decoder as AsyncIterable<Uint8Array>;
}

/** What is no fault of the world's stays as it is. */
function asBodyError(error: unknown): unknown {
  const own = bodyErrorIn(error);
  if (own !== null) return own;
  const failure = failureOf(error);
  return failure === null ? error : new BodyError(failure, { cause: error });
}
