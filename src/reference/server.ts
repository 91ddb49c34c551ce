import { createServer as createTlsServer } from 'node:https';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyServerFactory } from 'fastify';
import { createInterface } from './create-interface.ts';
import type { OnExchange } from './exchanges.ts';
import { createRawConnections } from './faults/wire.ts';
import { checkJson } from './options/json-file.ts';
import { ServerOptions } from './options/server-options-file.ts';
import { createState, type ReferenceState, type StateOptions } from './state.ts';
import { writeCaFile } from './tls/ca-file.ts';
import { type CertificateFault, type OldProtocol, protocolOptions } from './tls/tls-fault.ts';

export interface ReferenceServerOptions extends StateOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Default 0: a free port. */
  port?: number;
  /** Public base URL, for a server behind a proxy. Default: the address that it listens on. */
  url?: string;
  /** Whether to use TLS, with a certificate signed by an authority of the server; an object adds TLS faults. Default: false. */
  tls?: boolean | TlsOptions;
  /** Called with each request and its answer, before the answer is sent. */
  onExchange?: OnExchange;
}

export interface TlsOptions {
  certificate?: CertificateFault;
  /** The only TLS version of the server. Default: 1.2 and 1.3. */
  protocol?: OldProtocol;
}

export interface ReferenceServer extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Settings and data of the server; the next answer shows a change. */
  readonly state: ReferenceState;
  /** The Fastify app, for extra hooks or `inject`. */
  readonly app: FastifyInstance;
  /** The certificate of the authority to trust, PEM; null without TLS. */
  readonly caPem: string | null;
  /** A file with `caPem` that exists while the server runs; null without TLS. */
  readonly caFile: string | null;
  /** Stops listening, closes every connection and the database, and removes `caFile`. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts one server of the Loops interface.
 * @throws when it cannot listen on the address (`EADDRINUSE`, `EACCES`, ...).
 * @throws {DatabaseError} when the database cannot be used.
 * @throws {JsonFileError} when options are invalid; it lists every problem.
 */
export async function createReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const { host = '127.0.0.1', port: requestedPort = 0, tls = false } = options;
  const definedOptions = Object.entries(options).filter(([, value]) => value !== undefined);
  checkJson('the options', Object.fromEntries(definedOptions), ServerOptions);
  // Without TLS, the library for certificates is not loaded.
  const secureContexts = tls === false ? null : (await import('./tls/secure-contexts.ts')).createSecureContexts(1);
  const connections = createRawConnections();
  const tlsServerFactory: FastifyServerFactory = (handler) => {
    const { certificate, protocol } = tls === true || tls === false ? {} : tls;
    const identity = secureContexts?.identityFor(certificateNames(host, options.url), certificate);
    const server = createTlsServer({ ...identity, ...protocolOptions(protocol) });
    connections.watch(server);
    return server.on('request', handler);
  };

  const state = createState(withoutTrailingSlashes(options.url ?? ''), options);
  const app = createInterface(() => state, {
    ...(secureContexts === null ? {} : { serverFactory: tlsServerFactory }),
    reset: connections.reset,
    onExchange: options.onExchange,
  });
  const caFile = secureContexts === null ? null : await writeCaFile(secureContexts.authority);
  const close = async () => {
    await app.close();
    state[Symbol.dispose]();
    await caFile?.remove();
  };
  try {
    // Reading `data` opens the database. It is opened before listening, so that an unusable file, account or video fails the start.
    if ((options.database ?? options.accounts ?? options.videos) !== undefined) state.data.accounts;
    if (options.autoApprove !== undefined) state.autoApprove = options.autoApprove;
    await app.listen({ host, port: requestedPort });
    const port = portOf(app);
    if (state.url === '') state.url = `${secureContexts === null ? 'http' : 'https'}://${urlHost(host)}:${port}`;
    if (options.config?.app?.url === undefined) state.config.app.url = state.url;
    const { url } = state;
    const caPem = secureContexts?.authority ?? null;
    return { url, port, state, app, caPem, caFile: caFile?.path ?? null, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The host of a URL that reaches a listening address. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/** The names of the certificate: this machine, the address to listen on, and the public name (IPv6 without brackets). */
function certificateNames(host: string, url: string | undefined): string[] {
  const publicName = url === undefined ? [] : [new URL(url).hostname.replace(/^\[|\]$/g, '')];
  return [...new Set(['localhost', '127.0.0.1', '::1', host, ...publicName])];
}

function withoutTrailingSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}
