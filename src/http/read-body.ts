import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'got';
import { createDecoder, maxEncodedBytes } from './decoder.ts';
import type { HttpFailure } from './failure.ts';
import { limitFloods } from './flood-limits.ts';
import type { Watched } from './watchdog.ts';

export interface BodyRead {
  /** Undefined when no answer began. */
  response: IncomingMessage | undefined;
  body: Uint8Array;
  bytes: number;
  /** Bytes of the informational answers before the final one. */
  informationalBytes: number;
  /** Why reading ended early: a failure code, or the error itself. */
  error: Error | HttpFailure | null;
  /** Whether the request failed on a reused connection before an answer began. */
  wasStale: boolean;
}

export interface BodyLimit {
  /** Size limit after decompression. */
  maxBytes: number;
  /** Whether a longer body is truncated; if not, it is a failure. */
  truncates: boolean;
}

/**
 * Reads the answer of a got stream up to a limit, and closes the connection of a longer body. A bad body is a failure only with a 2xx
 * status: no other body decides anything.
 */
export function readBody(stream: Request, { maxBytes, truncates }: BodyLimit): Watched & { done: Promise<BodyRead> } {
  let response: IncomingMessage | undefined;
  let request: ClientRequest | undefined;
  let socket: TLSSocket | null = null;
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  let receivedBytes = 0;
  let informationalBytes = () => 0;
  /** Undefined until the body begins, null when the body is not encoded. */
  let decoder: Transform | null | undefined;
  const { promise: done, resolve } = Promise.withResolvers<BodyRead>();

  const settle = (problem: Error | HttpFailure | null): void => {
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    const status = response?.statusCode ?? 0;
    const error = response === undefined || (status >= 200 && status < 300) ? problem : null;
    const wasStale = request?.reusedSocket === true && response === undefined;
    resolve({ response, body, bytes, informationalBytes: informationalBytes(), error, wasStale });
  };
  const end = (problem: Error | HttpFailure | null): void => {
    settle(problem);
    stream.destroy();
    decoder?.destroy();
  };
  const addChunk = (chunk: Uint8Array): void => {
    const room = maxBytes - bytes;
    if (chunk.length <= room || truncates) chunks.push(chunk.subarray(0, room));
    else chunks = [];
    bytes += truncates ? Math.min(chunk.length, room) : chunk.length;
    if (chunk.length > room) end(truncates ? null : 'body-too-large');
  };
  const open = (start: Uint8Array): Transform | null => {
    let opened: Transform | null;
    try {
      opened = createDecoder(response?.headers['content-encoding'], start);
    } catch (error) {
      end(error as Error);
      return null;
    }
    opened
      ?.on('data', addChunk)
      .on('drain', () => stream.resume())
      .once('end', () => settle(null))
      .once('error', (error) => {
        settle(error);
        stream.destroy();
      });
    return opened;
  };

  stream.once('request', (sent: ClientRequest) => {
    request = sent;
    informationalBytes = limitFloods(sent, end);
  });
  stream.once('socket', (assigned: TLSSocket) => {
    socket = assigned;
  });
  stream.once('response', (message: IncomingMessage) => {
    response = message;
  });
  stream.on('data', (chunk: Uint8Array) => {
    if (decoder === undefined) decoder = open(chunk);
    receivedBytes += chunk.length;
    if (decoder === null) addChunk(chunk);
    else if (receivedBytes > maxEncodedBytes(maxBytes)) end(truncates ? null : 'body-too-large');
    else if (!decoder.write(chunk)) stream.pause();
  });
  // The server switched the connection to another protocol.
  stream.once('upgrade', () => end('invalid-http'));
  stream.once('end', () => (decoder == null ? settle(null) : decoder.end()));
  // Stays attached: a destroyed stream may still report its end as an error.
  stream.on('error', (error) => {
    settle(error);
    decoder?.destroy();
  });
  return { done, end, socket: () => socket, hasAnswer: () => response !== undefined };
}
