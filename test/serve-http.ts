import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Listens on 127.0.0.1, by default on a free port, until it is disposed of; then open HTTP connections end too. */
export async function listen(server: Server & { closeAllConnections?(): void }, port = 0, host = '127.0.0.1') {
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections?.();
      await closed;
    },
  };
}

export async function serveHttp(listener: RequestListener) {
  const server = await listen(createHttpServer(listener));
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  await using server = await listen(createServer());
  return server.port;
}
