import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Connector, dial } from '../../src/http/dial.ts';
import type { HostAddress } from '../../src/http/resolver.ts';

const v4 = (address: string): HostAddress => ({ address, family: 4 });
const v6 = (address: string): HostAddress => ({ address, family: 6 });

async function listen(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** What becomes of an attempt at an address: it connects to the listener, is refused, or stays as it is for ever. */
function connectorOf(port: number, fates: Readonly<Record<string, 'connects' | 'fails' | 'hangs'>>) {
  const tried: { address: string; at: number }[] = [];
  const sockets: Socket[] = [];
  const start = performance.now();
  const connector: Connector = ({ address }) => {
    tried.push({ address, at: performance.now() - start });
    const socket = fates[address] === 'connects' ? connect({ host: '127.0.0.1', port }) : new Socket();
    sockets.push(socket);
    if (fates[address] === 'fails') {
      setImmediate(() => socket.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
    }
    return socket;
  };
  return { connector, tried, sockets };
}

describe('dial', () => {
  it('gives the families their turns, IPv6 first', async () => {
    const { connector, tried } = connectorOf(0, { '::a': 'fails', '::b': 'fails', '1.1.1.1': 'fails' });
    await expect(dial([v4('1.1.1.1'), v6('::a'), v6('::b')], 1, connector).socket).rejects.toThrow('refused');
    expect(tried.map(({ address }) => address)).toEqual(['::a', '1.1.1.1', '::b']);
  });

  it('tries the next address beside one that says nothing, and long before that is given up', async () => {
    const port = await listen();
    const { connector, tried, sockets } = connectorOf(port, { '::a': 'hangs', '1.1.1.1': 'connects' });
    const start = performance.now();
    const socket = await dial([v6('::a'), v4('1.1.1.1')], port, connector).socket;
    expect(performance.now() - start).toBeLessThan(1_500);
    expect(tried[1]?.at).toBeGreaterThanOrEqual(240);
    expect(socket).toBe(sockets[1]);
    expect(sockets[0]?.destroyed).toBe(true);
    socket.destroy();
  });

  it('goes on with the next address at once when one fails', async () => {
    const port = await listen();
    const { connector, tried } = connectorOf(port, { '::a': 'fails', '1.1.1.1': 'connects' });
    const socket = await dial([v6('::a'), v4('1.1.1.1')], port, connector).socket;
    expect(tried[1]?.at).toBeLessThan(200);
    socket.destroy();
  });

  it('does not give up a slow address because a later one failed', async () => {
    const port = await listen();
    const fates = { '::a': 'hangs', '1.1.1.1': 'fails', '1.1.1.2': 'connects' } as const;
    const { connector } = connectorOf(port, fates);
    const socket = await dial([v6('::a'), v4('1.1.1.1'), v4('1.1.1.2')], port, connector).socket;
    expect(socket.remotePort).toBe(port);
    socket.destroy();
  });

  it('leaves no attempt open when it is cancelled', async () => {
    const { connector, sockets } = connectorOf(0, { '::a': 'hangs', '1.1.1.1': 'hangs' });
    const dialing = dial([v6('::a'), v4('1.1.1.1')], 1, connector);
    await expect.poll(() => sockets.length).toBe(2);
    dialing.cancel();
    await expect(dialing.socket).rejects.toThrow('given up');
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });
});
