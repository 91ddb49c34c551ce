import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { expect, onTestFinished, vi } from 'vitest';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import type { Resolution, Resolver } from '../../src/http/resolver.ts';
import { createHttp, type HttpOptions, type WebClient } from '../../src/http/visit-client.ts';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';
import type { CertificateFault } from '../../src/reference/tls/tls-fault.ts';

/** The host name of every test server. */
export const HOST = 'server.example';
export const certificates = createSecureContexts(10);
const trustingContext = createSecureContext({ ca: certificates.authority });

export interface LoopbackServer {
  port: number;
  /** Connections accepted since the start. */
  readonly accepted: number;
  /** Request targets exactly as received. */
  readonly targets: readonly string[];
}

/** Listens on 127.0.0.1 until the test ends. Fails the test if the client left a connection open. */
async function listen(server: Server, targets: readonly string[] = []): Promise<LoopbackServer> {
  const openSockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    openSockets.add(socket);
    socket.on('error', () => undefined).on('close', () => openSockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    try {
      await vi.waitFor(() => expect(openSockets.size, 'connections left open').toBe(0), {
        timeout: 30_000,
        interval: 10,
      });
    } finally {
      for (const socket of openSockets) socket.destroy();
      server.close();
    }
  });
  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted;
    },
    targets,
  };
}

function recordTargets(answer: RequestListener): { targets: string[]; listener: RequestListener } {
  const targets: string[] = [];
  return {
    targets,
    listener: (request, response) => {
      targets.push(request.url ?? '');
      return answer(request, response);
    },
  };
}

/** An HTTPS server with a certificate for {@link HOST}, valid or with the given fault. */
export function serveTls(answer: RequestListener, fault?: CertificateFault): Promise<LoopbackServer> {
  const { targets, listener } = recordTargets(answer);
  const server = createHttpsServer(
    {
      // A client sends no server name for a literal address (RFC 6066 section 3).
      ...certificates.identityFor(['127.0.0.1'], fault),
      // Contexts are cached by name, so a faulty one gets a name of its own, which its certificate then shows.
      SNICallback: (name, done) =>
        done(null, certificates.contextFor(fault === undefined ? name : `${fault}.${name}`, fault)),
    },
    listener,
  );
  return listen(
    server.on('tlsClientError', () => undefined),
    targets,
  );
}

/** An HTTP server without TLS. */
export function servePlain(answer: RequestListener): Promise<LoopbackServer> {
  const { targets, listener } = recordTargets(answer);
  return listen(createHttpServer(listener), targets);
}

/** A TCP server that passes each connection to `onConnection`. */
export function serveTcp(onConnection: (socket: Socket) => void): Promise<LoopbackServer> {
  return listen(createTcpServer((socket) => onConnection(socket.resume())));
}

/** A resolver that knows only these names. */
export function resolverOf(names: Readonly<Record<string, readonly string[]>> = {}): Resolver {
  return {
    resolve: async (host): Promise<Resolution> => {
      const [first, ...rest] = (names[host] ?? []).map((address) => ({
        address,
        family: address.includes(':') ? (6 as const) : (4 as const),
      }));
      return first === undefined
        ? { ok: false, failure: 'dns-nxdomain' }
        : { ok: true, addresses: [first, ...rest], ttlSeconds: 60 };
    },
    isAnswering: async () => true,
    canResolve: async () => true,
    cancel: () => undefined,
  };
}

/** The client of one visit to {@link HOST} at 127.0.0.1, closed when the test ends. */
export function openClient(options: Partial<HttpOptions> = {}): WebClient {
  const client = createHttp({
    secureContext: trustingContext,
    guard: createAddressGuard(['127.0.0.1/32']),
    resolver: resolverOf(),
    userAgent: 'Loopscout/0.0.0 (+https://loopscout.example)',
    connectMs: 15_000,
    responseMs: 15_000,
    visitMs: 15_000,
    maxBodyBytes: 256 * 1_024,
    clock: () => performance.now(),
    ...options,
  })(HOST, [{ address: '127.0.0.1', family: 4 }]);
  onTestFinished(() => client.close());
  return client;
}

export const urlOf = ({ port }: { port: number }, path = '/', scheme = 'https') =>
  new URL(`${scheme}://${HOST}:${port}${path}`);
