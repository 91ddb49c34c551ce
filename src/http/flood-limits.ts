import type { ClientRequest, IncomingMessage, InformationEvent } from 'node:http';
import { AnswerError } from './failure.ts';

/** Informational answers (RFC 9110 section 15.2) that may precede the final one. */
const MAX_INFORMATIONAL = 10;
/** `HTTP/1.1 100 `, the end of its line and the empty line. */
const LINE_BYTES = 17;

/** Number of chunks that may be of any length: honest servers may send a document token by token, or a list line by line. */
const MAX_TINY_CHUNKS = 8_192;
/** A body in more chunks than the limit must have chunks of at least this length on average. */
const MIN_CHUNK_BYTES = 32;
/** TLS and the chunked encoding may add this many bytes per permitted tiny chunk, plus three times the body. Only chunk extensions add more. */
const FRAMING_BYTES_PER_CHUNK = 32;
const MAX_FRAMING_RATIO = 3;

/**
 * Limits answers that are cheap to send but block our event loop: informational answers, bodies in tiny chunks, and chunks with long
 * extensions.
 *
 * @param onFlood called once per limit.
 * @param maxBodyBytes the size limit of the body; one above 256 KiB permits more tiny chunks.
 * @returns a function that returns the bytes of the informational answers so far.
 */
export function limitFloods(
  sent: ClientRequest,
  onFlood: (error: AnswerError) => void,
  maxBodyBytes = 262_144,
): () => number {
  const maxTinyChunks = Math.max(MAX_TINY_CHUNKS, Math.floor(maxBodyBytes / MIN_CHUNK_BYTES));
  let informationalCount = 0;
  let informationalBytes = 0;
  sent.on('information', ({ rawHeaders, statusMessage }: InformationEvent) => {
    informationalCount += 1;
    if (informationalCount > MAX_INFORMATIONAL + 1) return;
    informationalBytes += LINE_BYTES + statusMessage.length;
    for (const text of rawHeaders) informationalBytes += text.length + 2;
    if (informationalCount > MAX_INFORMATIONAL)
      onFlood(new AnswerError('invalid-http', `more than ${MAX_INFORMATIONAL} informational answers (1xx)`));
  });
  sent.once('response', (message) => limitChunks(message, onFlood, maxTinyChunks));
  return () => informationalBytes;
}

/** Counts in `push`, which Node calls for each chunk: a `data` event has all chunks that arrived together. */
function limitChunks(message: IncomingMessage, onFlood: (error: AnswerError) => void, maxTinyChunks: number): void {
  const { socket } = message;
  const receivedBefore = socket.bytesRead;
  let chunks = 0;
  let bytes = 0;
  let isFlood = false;
  const push = message.push;
  message.push = (chunk: Uint8Array | null, encoding) => {
    // Drops the chunks that arrived together with the one over the limit.
    if (isFlood && chunk !== null) return false;
    chunks += 1;
    bytes += chunk?.length ?? 0;
    const framing = socket.bytesRead - receivedBefore - bytes;
    const problem =
      chunks > maxTinyChunks && bytes < chunks * MIN_CHUNK_BYTES
        ? `${chunks} chunks of fewer than ${MIN_CHUNK_BYTES} bytes on average`
        : framing > FRAMING_BYTES_PER_CHUNK * maxTinyChunks + MAX_FRAMING_RATIO * bytes
          ? `${bytes} bytes of a body in ${framing} bytes of chunk headers`
          : null;
    if (problem !== null && chunk !== null) {
      isFlood = true;
      onFlood(new AnswerError('invalid-http', problem));
    }
    return push.call(message, chunk, encoding);
  };
}
