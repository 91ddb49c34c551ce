import { createServer as createTlsServer } from 'node:https';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyServerFactory } from 'fastify';
import { createInterface } from './create-interface.ts';
import { createRawConnections } from './faults/wire.ts';
import { checkJson } from './options/json-file.ts';
import { ServerOptions } from './options/server-options-file.ts';
import { createState, type ReferenceState, type StateOptions } from './state.ts';
import { writeAuthorityFile } from './tls/certificate-authority.ts';
import {
  type CertificateFault,
  createSecureContexts,
  type OldProtocol,
  protocolOptions,
} from './tls/secure-contexts.ts';

export interface ReferenceServerOptions extends StateOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Default 0: a free port. */
  port?: number;
  /** Base URL to claim, for a server behind a proxy. Default: where it listens. */
  url?: string;
  /** Whether it speaks TLS, with a certificate of an authority of its own, and what is wrong with that. Default false. */
  tls?: boolean | TlsOptions;
}

export interface TlsOptions {
  certificate?: CertificateFault;
  /** Speaks this version of TLS alone. Default: 1.2 and 1.3. */
  protocol?: OldProtocol;
}

export interface ReferenceServer extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Port that it listens on. */
  readonly port: number;
  /** What the server says about itself; a change shows in the next answer. */
  readonly state: ReferenceState;
  /** The Fastify app, to add hooks of one's own, or to `inject` requests. */
  readonly app: FastifyInstance;
  /** The certificate of the authority to trust, PEM, and a file that holds it as long as the server runs; null without TLS. */
  readonly caPem: string | null;
  readonly caFile: string | null;
  /** Stops listening, ends every connection, closes the database and removes `caFile`. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts one server of the Loops interface.
 * @throws when the address cannot be listened on (`EADDRINUSE`, `EACCES`, ...).
 * @throws {DatabaseError} when the database cannot be used.
 * @throws {JsonFileError} when an option is none that it can be; it names everything wrong with them.
 */
export async function createReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const { host = '127.0.0.1', port: wantedPort = 0, tls = false } = options;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  checkJson('the options', Object.fromEntries(given), ServerOptions);
  const contexts = tls === false ? null : createSecureContexts(1);
  const connections = createRawConnections();
  const secure: FastifyServerFactory = (handler) => {
    const { certificate, protocol } = tls === true || tls === false ? {} : tls;
    const identity = contexts?.identityFor(namesOf(host, options.url), certificate);
    const server = createTlsServer({ ...identity, ...protocolOptions(protocol) });
    connections.watch(server);
    return server.on('request', handler);
  };

  const state = createState(withoutSlash(options.url ?? ''), options);
  const app = createInterface(() => state, {
    ...(contexts === null ? {} : { serverFactory: secure }),
    reset: connections.reset,
  });
  const file = contexts === null ? null : await writeAuthorityFile(contexts.authority);
  const close = async () => {
    await app.close();
    state[Symbol.dispose]();
    await file?.remove();
  };
  try {
    // Opened now, so that a file, an account or a video that cannot be used is told now.
    if ((options.database ?? options.accounts ?? options.videos) !== undefined) state.data.accounts;
    await app.listen({ host, port: wantedPort });
    const port = portOf(app);
    if (state.url === '') state.url = `${contexts === null ? 'http' : 'https'}://${reachable(host)}:${port}`;
    if (options.config?.app?.url === undefined) state.config.app.url = state.url;
    const { url } = state;
    const caPem = contexts?.authority ?? null;
    return { url, port, state, app, caPem, caFile: file?.path ?? null, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The host to put into a URL for an address that was listened on. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}

/** What a certificate is for: this machine, and the name that the server goes by. */
function namesOf(host: string, url: string | undefined): string[] {
  const claimed = url === undefined ? [] : [new URL(url).hostname.replace(/^\[|\]$/g, '')];
  return [...new Set(['localhost', '127.0.0.1', '::1', host, ...claimed])];
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
