import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectorFrom } from '../../src/http/connect-tcp.ts';

/** The client address that a server on 127.0.0.1 sees, or the error code of the connection. */
async function connectFrom(localAddress: string | null): Promise<string> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return await new Promise((resolve) => {
    server.on('connection', (socket) => {
      resolve(String(socket.remoteAddress));
      socket.destroy();
    });
    const socket = connectorFrom(localAddress)([{ address: '127.0.0.1', family: 4 }], port);
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
  });
}

test.each([
  [null, '127.0.0.1'],
  ['127.0.0.2', '127.0.0.2'],
  // An IPv6 address cannot connect to an IPv4 server.
  ['::1', 'ENETUNREACH'],
])('a connection from the local address %s to an IPv4 server results in %s', async (localAddress, expected) => {
  expect(await connectFrom(localAddress)).toBe(expected);
});
