import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
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
  /** Whether it failed on a connection that had been used before, with no answer begun. */
  wasStale: boolean;
}

/** How much of a body is read, after decompression, and what a longer one is: cut there, or a failure. */
export interface BodyLimit {
  maxBytes: number;
  isCut: boolean;
}

/**
 * Reads the answer of a got stream up to a limit; the connection of a longer one is closed.
 * The body of an answer that is not 2xx decides nothing, so nothing that is wrong with it is a failure.
 */
export function readBody(stream: Request, { maxBytes, isCut }: BodyLimit): Watched & { done: Promise<BodyRead> } {
  let response: IncomingMessage | undefined;
  let request: ClientRequest | undefined;
  let socket: TLSSocket | null = null;
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  const { promise: done, resolve } = Promise.withResolvers<BodyRead>();

  const settle = (problem: Error | HttpFailure | null): void => {
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    const status = response?.statusCode ?? 0;
    const error = response === undefined || (status >= 200 && status < 300) ? problem : null;
    resolve({ response, body, bytes, error, wasStale: request?.reusedSocket === true && response === undefined });
  };
  const end = (failure: HttpFailure | null): void => {
    settle(failure);
    stream.destroy();
  };

  stream.once('request', (sent: ClientRequest) => {
    request = sent;
  });
  stream.once('socket', (assigned: TLSSocket) => {
    socket = assigned;
  });
  stream.once('response', (message: IncomingMessage) => {
    response = message;
  });
  stream.on('data', (chunk: Uint8Array) => {
    const room = maxBytes - bytes;
    if (chunk.length <= room || isCut) chunks.push(chunk.subarray(0, room));
    else chunks = [];
    bytes += isCut ? Math.min(chunk.length, room) : chunk.length;
    if (chunk.length > room) end(isCut ? null : 'body-too-large');
  });
  // A connection that a server takes over for another protocol is no longer the agent's to close.
  stream.once('upgrade', (_message: IncomingMessage, taken: Socket) => {
    taken.destroy();
    end('invalid-http');
  });
  stream.once('end', () => settle(null));
  // Stays attached: a stream that was destroyed here may still report its own end as an error.
  stream.on('error', settle);
  return { done, end, socket: () => socket, hasAnswer: () => response !== undefined };
}
