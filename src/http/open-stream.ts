import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'got';
import type { HttpFailure } from './failure.ts';
import type { Watched } from './watchdog.ts';

/** Waits for the answer of a got stream to begin, and leaves its body to be read. */
export function openStream(stream: Request): Watched & { begun: Promise<IncomingMessage | Error | HttpFailure> } {
  let hasAnswer = false;
  let socket: TLSSocket | null = null;
  const { promise: begun, resolve } = Promise.withResolvers<IncomingMessage | Error | HttpFailure>();
  const end = (failure: HttpFailure): void => {
    resolve(failure);
    stream.destroy();
  };
  stream.once('socket', (assigned: TLSSocket) => {
    socket = assigned;
  });
  stream.once('response', (message: IncomingMessage) => {
    hasAnswer = true;
    resolve(message);
  });
  // A connection that a server takes over for another protocol.
  stream.once('upgrade', () => end('invalid-http'));
  // Stays attached: a stream that was destroyed may still report its own end as an error.
  stream.on('error', resolve);
  return { begun, end, socket: () => socket, hasAnswer: () => hasAnswer };
}
