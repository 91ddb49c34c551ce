import type { FastifyInstance } from 'fastify';
import { createInterface } from './create-interface.ts';
import { createState, type ReferenceState, type StateOptions } from './state.ts';

export interface ReferenceServerOptions extends StateOptions {
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Default 0: a free port. */
  port?: number;
}

export interface ReferenceServer extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** What the server says about itself; a change shows in the next answer. */
  readonly state: ReferenceState;
  /** The Fastify app, to add routes or hooks of one's own, or to `inject` requests. */
  readonly app: FastifyInstance;
  /** Stops listening and ends every connection. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts one server of the Loops interface over plain HTTP.
 * @throws when the address cannot be listened on (`EADDRINUSE`, `EACCES`, ...).
 */
export async function createReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const state = createState('', options);
  const app = createInterface(() => state);
  const url = await app.listen({ host, port, listenTextResolver: (address) => address });
  state.url = url;
  if (options.config?.app?.url === undefined) state.config.app.url = url;
  const close = async () => {
    await app.close();
  };
  return { url, state, app, close, [Symbol.asyncDispose]: close };
}
