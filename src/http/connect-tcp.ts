import { connect, isIP, Socket, type TcpNetConnectOpts } from 'node:net';
import type { HostAddress } from './resolver.ts';

/** Opens one connection to one of a host's addresses. Tests replace it. */
export type Connector = (to: readonly HostAddress[], port: number) => Socket;

/** Time for one address before the next is tried. Node's default of 250 ms gives up on addresses that are merely slow. */
const ATTEMPT_MS = 2_000;

/** Options that connect to the given addresses only, IPv6 first: the host name is never looked up. */
export function pinnedTo(addresses: readonly HostAddress[], port: number): TcpNetConnectOpts {
  const [first, ...others] = addresses.toSorted((a, b) => b.family - a.family);
  if (first === undefined) throw new Error('no address to connect to');
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

/** Opens connections from a local address, to addresses of its family only; null: the system chooses. */
export function connectorFrom(localAddress: string | null): Connector {
  if (localAddress === null) return connectTcp;
  const family = isIP(localAddress);
  return (to, port) => {
    const reachable = to.filter((address) => address.family === family);
    if (reachable.length > 0) return connect({ ...pinnedTo(reachable, port), localAddress });
    const error = Object.assign(new Error(`no address can be reached from ${localAddress}`), { code: 'ENETUNREACH' });
    return new Socket().destroy(error);
  };
}
