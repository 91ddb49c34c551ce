import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'got';
import type { HttpFailure } from './failure.ts';
import type { Watched } from './watchdog.ts';

export interface BodyRead {
  /** Undefined when no answer began. */
  response: IncomingMessage | undefined;
  body: Uint8Array;
  bytes: number;
  /** What ended the read early: a word of ours, or the error as it came. */
  error: Error | HttpFailure | null;
}

/**
 * Reads the answer of a got stream up to `maxBytes` after decompression; the connection of a longer one is closed.
 * The body of an answer that is not 2xx decides nothing, so its length is no failure.
 */
export function readBody(stream: Request, maxBytes: number): Watched & { done: Promise<BodyRead> } {
  let response: IncomingMessage | undefined;
  let socket: TLSSocket | null = null;
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  const { promise: done, resolve } = Promise.withResolvers<BodyRead>();

  const settle = (error: Error | HttpFailure | null): void => {
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    resolve({ response, body, bytes, error });
  };
  const end = (failure: HttpFailure | null): void => {
    settle(failure);
    stream.destroy();
  };

  stream.once('socket', (assigned: TLSSocket) => {
    socket = assigned;
  });
  stream.once('response', (message: IncomingMessage) => {
    response = message;
  });
  stream.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    chunks = [];
    const status = response?.statusCode ?? 0;
    end(status >= 200 && status < 300 ? 'body-too-large' : null);
  });
  stream.once('end', () => settle(null));
  // Stays attached: a stream that was destroyed here may still report its own end as an error.
  stream.on('error', settle);
  return { done, end, socket: () => socket, hasAnswer: () => response !== undefined };
}
