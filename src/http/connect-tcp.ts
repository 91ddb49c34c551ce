import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { HostAddress } from './resolver.ts';

/** Opens one connection to one of the addresses of a host; the only way in which a crawl connects to anything. A test puts its own here. */
export type Connector = (to: readonly HostAddress[], port: number) => Socket;

/**
 * How long an attempt has before the next address is tried instead. Node's default of 250 ms gives up every address but the last that
 * is merely slow.
 */
const ATTEMPT_MS = 2_000;

/** Connects to the given addresses, in turns of the families, IPv6 first, and to no other: the host name is never looked up. */
export function pinnedTo(addresses: readonly HostAddress[], port: number): TcpNetConnectOpts {
  const [first, ...others] = addresses.toSorted((one, other) => other.family - one.family);
  if (first === undefined) throw new Error('there is no address to connect to');
  if (others.length === 0) return { host: first.address, family: first.family, port };
  return {
    host: 'pinned.invalid',
    port,
    lookup: (_host, _options, found) => found(null, [first, ...others]),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
  };
}

export const connectTcp: Connector = (to, port) => connect(pinnedTo(to, port));
