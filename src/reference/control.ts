import Fastify from 'fastify';
import { z } from 'zod';
import { withoutSchemas } from './create-interface.ts';
import { createSecret, digestOf, secretMatches } from './data/secret.ts';
import { deepMerge } from './deep-merge.ts';
import type { Exchange } from './exchanges.ts';
import type { FaultRule } from './faults/fault-rule.ts';
import { checkJson, JsonFileError } from './options/json-file.ts';
import { ServerOptions } from './options/server-options-file.ts';
import { fillData } from './seed/fill-data.ts';
import type { ReferenceState, StateOptions } from './state.ts';
import { urlHost } from './url-host.ts';

export interface ControlOptions {
  /** Default: the address of the server. */
  host?: string;
  /** Default 0: a free port. */
  port?: number;
  /** Every request must have it as its bearer token. Default: a random one. */
  token?: string;
  /** Called after each reset; the answer to the reset is its result. */
  afterReset?: () => unknown;
}

export interface Control extends AsyncDisposable {
  /** Base URL without a trailing slash. README.md lists the requests. */
  readonly url: string;
  readonly token: string;
}

/** What `PATCH /state` accepts. */
const StateChanges = ServerOptions.pick({
  profile: true,
  config: true,
  missingConfigKeys: true,
  usage: true,
  nodeInfo: true,
  robots: true,
  rateLimit: true,
  delayMs: true,
  faults: true,
  autoApprove: true,
  lifetimes: true,
  accounts: true,
  videos: true,
});

const ClockChange = z.union([
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advanceSeconds: z.number().min(-1e9).max(1e9) }),
]);

/**
 * Starts the control of a server. A web page cannot use it, not even through a host name that resolves to this machine, because
 * it does not know the token.
 * @param received the requests so far; the control may empty the list.
 * @throws when it cannot listen (`EADDRINUSE`, `EACCES`).
 */
export async function startControl(
  server: { readonly state: ReferenceState; reset(): void },
  received: Exchange[],
  { host = '127.0.0.1', port = 0, token = createSecret(), afterReset }: ControlOptions,
): Promise<Control> {
  const app = Fastify({ forceCloseConnections: true, schemaController: withoutSchemas });
  const digest = digestOf(token);
  app.addHook('onRequest', async ({ headers }, reply) => {
    const [scheme = '', given = ''] = headers.authorization?.split(' ') ?? [];
    if (scheme.toLowerCase() === 'bearer' && secretMatches(given, digest)) return;
    return reply.code(401).send({ message: 'Send the token of the control: Authorization: Bearer TOKEN.' });
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof JsonFileError) {
      return reply.code(422).send({ message: 'The request is invalid.', problems: error.problems });
    }
    return reply.code(error.statusCode ?? 500).send({ message: error.message });
  });

  app.get('/requests', () => received);
  app.delete('/requests', () => {
    received.length = 0;
    return received;
  });
  app.post('/reset', async () => {
    server.reset();
    return (await afterReset?.()) ?? {};
  });
  app.get('/state', () => stateDocument(server.state));
  app.patch('/state', ({ body }) => {
    changeState(server.state, body);
    return stateDocument(server.state);
  });
  app.get('/faults', () => server.state.faults);
  app.put<{ Body: FaultRule[] }>('/faults', ({ body }) => {
    server.state.faults = body;
    return server.state.faults;
  });
  app.delete('/faults', () => {
    server.state.faults = [];
    return server.state.faults;
  });
  app.get('/clock', () => clockDocument(server.state));
  app.put('/clock', ({ body }) => {
    const change = checkJson('the clock', body, ClockChange);
    const { now } = server.state;
    const aheadMs = 'now' in change ? Date.parse(change.now) - now() : change.advanceSeconds * 1000;
    server.state.now = () => now() + aheadMs;
    return clockDocument(server.state);
  });

  const address = new URL(await app.listen({ host, port }));
  return { url: `http://${urlHost(host)}:${address.port}`, token, [Symbol.asyncDispose]: () => app.close() };
}

function clockDocument({ now }: ReferenceState): object {
  return { now: new Date(now()).toISOString() };
}

function stateDocument({ random: _random, now: _now, data, ...settings }: ReferenceState): object {
  return { ...settings, accounts: data.accounts.all(), videos: data.videos.all() };
}

/** @throws {JsonFileError} when the changes are invalid. */
function changeState(state: ReferenceState, changes: unknown): void {
  const checked: StateOptions = checkJson<object>('the state', changes, StateChanges);
  const { config, usage, nodeInfo, lifetimes, accounts, videos, autoApprove, ...settings } = checked;
  // First what can still fail, because it names accounts.
  fillData(state.data, { accounts, videos });
  if (autoApprove !== undefined) state.autoApprove = autoApprove;
  Object.assign(state, settings);
  state.config = deepMerge(state.config, config);
  state.usage = deepMerge(state.usage, usage);
  state.nodeInfo = deepMerge(state.nodeInfo, nodeInfo);
  state.lifetimes = { ...state.lifetimes, ...lifetimes };
}
