import { createServer as createTlsServer } from 'node:https';
import type { FastifyInstance, FastifyServerFactory } from 'fastify';
import { type Control, type ControlOptions, startControl } from './control.ts';
import { createInterface } from './create-interface.ts';
import type { Exchange, OnExchange } from './exchanges.ts';
import { createRawConnections } from './faults/wire.ts';
import { checkJson } from './options/json-file.ts';
import { ServerOptions } from './options/server-options-file.ts';
import { createState, type ReferenceState, type StateOptions } from './state.ts';
import { writeCaFile } from './tls/ca-file.ts';
import { type CertificateFault, type OldProtocol, protocolOptions } from './tls/tls-fault.ts';
import { urlHost } from './url-host.ts';

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
  /** A second port for a test in another process: it shows the requests, resets the server, and changes its state. Default: none. */
  control?: ControlOptions;
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
  /** Settings and data of the server; the next answer shows a change. `reset` replaces it. */
  readonly state: ReferenceState;
  /** The Fastify app, for extra hooks or `inject`. */
  readonly app: FastifyInstance;
  /** The certificate of the authority to trust, PEM; null without TLS. */
  readonly caPem: string | null;
  /** A file with `caPem` that exists while the server runs; null without TLS. */
  readonly caFile: string | null;
  readonly control: Control | null;
  /** Restores the state of the start: a new `state` from the same options, with the same data. A database file stays as it is. */
  reset(): void;
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

  const createOwnState = () => createState(withoutTrailingSlashes(options.url ?? ''), options);
  let state = createOwnState();
  const received: Exchange[] = [];
  const app = createInterface(() => state, {
    ...(secureContexts === null ? {} : { serverFactory: tlsServerFactory }),
    reset: connections.reset,
    onExchange: options.control === undefined ? options.onExchange : recordingExchanges(received, options.onExchange),
  });
  const caFile = secureContexts === null ? null : await writeCaFile(secureContexts.authority);
  let control: Control | null = null;
  const close = async () => {
    await control?.[Symbol.asyncDispose]();
    await app.close();
    state[Symbol.dispose]();
    await caFile?.remove();
  };
  const checkState = () => {
    // Reading `data` opens the database.
    if ((options.database ?? options.accounts ?? options.videos) !== undefined) state.data.accounts;
    if (options.autoApprove !== undefined) state.autoApprove = options.autoApprove;
  };
  const setUrl = (port: number) => {
    if (state.url === '') state.url = `${secureContexts === null ? 'http' : 'https'}://${urlHost(host)}:${port}`;
    if (options.config?.app?.url === undefined) state.config.app.url = state.url;
  };
  try {
    // Before listening, so that an unusable file, account or video fails the start.
    checkState();
    await app.listen({ host, port: requestedPort });
    const port = portOf(app);
    setUrl(port);
    const server: ReferenceServer = {
      url: state.url,
      port,
      get state() {
        return state;
      },
      app,
      caPem: secureContexts?.authority ?? null,
      caFile: caFile?.path ?? null,
      get control() {
        return control;
      },
      reset: () => {
        state[Symbol.dispose]();
        state = createOwnState();
        checkState();
        setUrl(port);
        received.length = 0;
      },
      close,
      [Symbol.asyncDispose]: close,
    };
    if (options.control !== undefined) control = await startControl(server, received, { host, ...options.control });
    return server;
  } catch (error) {
    await close();
    throw error;
  }
}

/** The number of requests that the control keeps; the oldest are dropped. */
const maxReceived = 1_000;

function recordingExchanges(received: Exchange[], onExchange: OnExchange | undefined): OnExchange {
  return (exchange, state) => {
    if (received.push(exchange) > maxReceived) received.shift();
    onExchange?.(exchange, state);
  };
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The names of the certificate: this machine, the address to listen on, and the public name (IPv6 without brackets). */
function certificateNames(host: string, url: string | undefined): string[] {
  const publicName = url === undefined ? [] : [new URL(url).hostname.replace(/^\[|\]$/g, '')];
  return [...new Set(['localhost', '127.0.0.1', '::1', host, ...publicName])];
}

function withoutTrailingSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}
