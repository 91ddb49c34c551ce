import { connect, type Socket } from 'node:net';
import type { HostAddress } from './resolver.ts';

/** Opens one connection to one address; the only way in which a crawl connects to anything. A test puts its own here. */
export type Connector = (to: HostAddress, port: number) => Socket;

export const connectTcp: Connector = ({ address, family }, port) => connect({ host: address, family, port });

/** A connection in the making. */
export interface Dialing {
  /** The first attempt to stand; rejects with the first failure when none does, or when it was cancelled. */
  readonly socket: Promise<Socket>;
  cancel(): void;
}

/** How long an attempt has before the next address is tried beside it (RFC 8305 section 5). */
const STAGGER_MS = 250;

/**
 * Connects to whichever of a host's addresses answers first: the families in turn, IPv6 first, each attempt given a start over
 * the next, none given up while others run (RFC 8305). A failed attempt begins the next at once.
 */
export function dial(addresses: readonly HostAddress[], port: number, connector: Connector): Dialing {
  const waiting = interleaved(addresses);
  const attempts = new Set<Socket>();
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  let firstError: Error | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isSettled = false;

  const settle = () => {
    isSettled = true;
    if (timer !== null) clearTimeout(timer);
    for (const socket of attempts) socket.destroy();
    attempts.clear();
  };

  const attempt = () => {
    if (timer !== null) clearTimeout(timer);
    const next = waiting.shift();
    if (next === undefined) return;
    const socket = connector(next, port);
    attempts.add(socket);
    const onError = (error: Error) => {
      firstError ??= error;
      attempts.delete(socket);
      if (isSettled) return;
      if (waiting.length > 0) attempt();
      else if (attempts.size === 0) {
        settle();
        reject(firstError);
      }
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      if (isSettled) return;
      attempts.delete(socket);
      socket.off('error', onError);
      settle();
      resolve(socket);
    });
    if (waiting.length > 0) timer = setTimeout(attempt, STAGGER_MS);
  };
  attempt();

  return {
    socket: promise,
    cancel: () => {
      if (isSettled) return;
      settle();
      reject(firstError ?? Object.assign(new Error('The visit was given up.'), { code: 'ECONNABORTED' }));
    },
  };
}

/** IPv6 and IPv4 in turn, IPv6 first, in the order in which each family was given. */
function interleaved(addresses: readonly HostAddress[]): HostAddress[] {
  const v6 = addresses.filter(({ family }) => family === 6);
  const v4 = addresses.filter(({ family }) => family === 4);
  const turns = Math.max(v6.length, v4.length);
  return Array.from({ length: turns }, (_, turn) => [v6[turn], v4[turn]])
    .flat()
    .filter((address) => address !== undefined);
}
