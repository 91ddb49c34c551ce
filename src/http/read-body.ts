import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import type { TLSSocket } from 'node:tls';
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
 * Reads the answer to a request up to a limit, and closes the connection of a longer body. A bad body is a failure only with a 2xx
 * status: no other body decides anything.
 */
export function readBody(
  request: ClientRequest,
  { maxBytes, truncates }: BodyLimit,
): Watched & { done: Promise<BodyRead> } {
  let response: IncomingMessage | undefined;
  let socket: TLSSocket | null = null;
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  let receivedBytes = 0;
  /** Undefined until the body begins, null when the body is not encoded. */
  let decoder: Transform | null | undefined;
  const { promise: done, resolve } = Promise.withResolvers<BodyRead>();

  const settle = (problem: Error | HttpFailure | null): void => {
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    const status = response?.statusCode ?? 0;
    const error = response === undefined || (status >= 200 && status < 300) ? problem : null;
    const wasStale = request.reusedSocket && response === undefined;
    resolve({ response, body, bytes, informationalBytes: informationalBytes(), error, wasStale });
  };
  const end = (problem: Error | HttpFailure | null): void => {
    settle(problem);
    request.destroy();
    decoder?.destroy();
  };
  const addChunk = (chunk: Uint8Array): void => {
    const room = maxBytes - bytes;
    if (chunk.length <= room || truncates) chunks.push(chunk.subarray(0, room));
    else chunks = [];
    bytes += truncates ? Math.min(chunk.length, room) : chunk.length;
    if (chunk.length > room) end(truncates ? null : 'body-too-large');
  };
  const openDecoder = (start: Uint8Array): Transform | null => {
    let opened: Transform | null;
    try {
      opened = createDecoder(response?.headers['content-encoding'], start);
    } catch (error) {
      end(error as Error);
      return null;
    }
    opened
      ?.on('data', addChunk)
      .on('drain', () => response?.resume())
      .once('end', () => settle(null))
      .once('error', (error: NodeJS.ErrnoException) => {
        // Hosting platforms and proxies cut the end of compressed bodies; browsers show what was decoded.
        const isWhole = error.code === 'Z_BUF_ERROR' && response?.complete === true && isWholeJson(chunks);
        settle(isWhole ? null : error);
        request.destroy();
      });
    return opened;
  };

  const informationalBytes = limitFloods(request, end);
  request.once('socket', (assigned) => {
    socket = assigned as TLSSocket;
  });
  const fail = (error: Error): void => {
    settle(error);
    decoder?.destroy();
  };
  request.once('response', (message) => {
    response = message;
    message.on('data', (chunk: Uint8Array) => {
      if (decoder === undefined) decoder = openDecoder(chunk);
      receivedBytes += chunk.length;
      if (decoder === null) addChunk(chunk);
      else if (receivedBytes > maxEncodedBytes(maxBytes)) end(truncates ? null : 'body-too-large');
      else if (!decoder.write(chunk)) message.pause();
    });
    message.once('end', () => (decoder == null ? settle(null) : decoder.end()));
    message.on('error', fail);
  });
  // A request that asks first has its answer: the body may come. There is none to send.
  if (request.getHeader('expect') !== undefined) request.once('continue', () => end(null));
  // The server switched the connection to another protocol.
  request.once('upgrade', () => end('invalid-http'));
  // Stays attached: a destroyed request may still report its end as an error.
  request.on('error', fail);
  return { done, end, socket: () => socket, hasAnswer: () => response !== undefined };
}

/** Whether the body is a complete JSON object or list, which its closing bracket proves. */
function isWholeJson(chunks: readonly Uint8Array[]): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
