import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectTcp, pinnedTo } from '../../src/http/connect-tcp.ts';
import type { HostAddress } from '../../src/http/resolver.ts';

const v4 = (address: string): HostAddress => ({ address, family: 4 });
const v6 = (address: string): HostAddress => ({ address, family: 6 });
/** A documentation address (RFC 3849): no route leads there, or no host responds. */
const DEAD = v6('2001:db8::1');

/** Starts a server that listens on 127.0.0.1 until the test ends, and returns its port. */
async function listeningPort(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Waits for the connection, and returns the address that it leads to. */
async function addressReachedBy(socket: Socket): Promise<string | undefined> {
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return socket.remoteAddress;
}

describe('connectTcp', () => {
  it('connects to the only address', async () => {
    expect(await addressReachedBy(connectTcp([v4('127.0.0.1')], await listeningPort()))).toBe('127.0.0.1');
  });

  it('falls back to IPv4 when the IPv6 address does not respond, in any order of addresses', async () => {
    const port = await listeningPort();
    const sockets = [connectTcp([DEAD, v4('127.0.0.1')], port), connectTcp([v4('127.0.0.1'), DEAD], port)];
    expect(await Promise.all(sockets.map(addressReachedBy))).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('tries the next address after a refusal', async () => {
    expect(await addressReachedBy(connectTcp([v4('127.0.0.2'), v4('127.0.0.1')], await listeningPort()))).toBe(
      '127.0.0.1',
    );
  });

  it('fails when every address refuses the connection', async () => {
    const [error] = await once(connectTcp([v4('127.0.0.2'), v4('127.0.0.3')], await listeningPort()), 'error');
    expect(error.code ?? error.errors[0].code).toBe('ECONNREFUSED');
  });

  it('tries only the given addresses, IPv6 first, with at least two seconds for each', () => {
    const { lookup, autoSelectFamilyAttemptTimeout } = pinnedTo([v4('192.0.2.1'), v6('2001:db8::1')], 443);
    let found: unknown;
    lookup?.('anything.example', {}, (_error, addresses) => {
      found = addresses;
    });
    expect(found).toEqual([v6('2001:db8::1'), v4('192.0.2.1')]);
    expect(autoSelectFamilyAttemptTimeout).toBeGreaterThanOrEqual(2_000);
  });
});
