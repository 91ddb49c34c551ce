import { resolve } from 'node:path';
import {
  createReferenceServer,
  DatabaseError,
  type ReferenceServer,
  type ReferenceServerOptions,
  readServerOptions,
  type ServerOptionsFile,
  seededAccounts,
} from '../reference/index.ts';
import { UsageError } from './command.ts';
import { explainListenError } from './listen-error.ts';
import { type ExampleApp, referenceExamples } from './reference-examples.ts';
import type { Started } from './started.ts';

export interface ReferenceServerFlags
  extends Pick<ReferenceServerOptions, 'port' | 'host' | 'profile' | 'tls' | 'database' | 'seed'> {
  optionsFile?: string;
  /** Folder that relative paths of flags are taken from. */
  cwd: string;
}

const defaultPort = 8_089;

/**
 * Starts one server; flags go before what the options file says.
 * @throws {UsageError} when something that was named cannot be used.
 */
export async function startReferenceServer({ optionsFile, cwd, ...flags }: ReferenceServerFlags): Promise<Started> {
  const { $schema: _, ...fromFile }: ServerOptionsFile =
    optionsFile === undefined ? {} : readServerOptions(resolve(cwd, optionsFile));
  const options: ReferenceServerOptions = { port: defaultPort, ...fromFile, ...flags };
  if (options.database !== undefined) options.database = resolve(cwd, options.database);
  const server = await start(options, optionsFile);
  const app = registerExample(server);
  const accounts = signInsOf(server, options);
  const videos = server.state.data.videos.all().map(({ id }) => id);
  const { url, caFile } = server;
  const { profile } = server.state;
  return {
    facts: { url, accounts, videos, caFile, profile, app },
    text: referenceExamples({ url, caFile, profile, accounts, video: videos[0], app }),
    [Symbol.asyncDispose]: server.close,
  };
}

async function start(options: ReferenceServerOptions, optionsFile: string | undefined): Promise<ReferenceServer> {
  try {
    return await createReferenceServer(options);
  } catch (error) {
    if (error instanceof DatabaseError) throw new UsageError(error.message, { cause: error });
    const hasOwnRecords = options.accounts !== undefined || options.videos !== undefined;
    if (hasOwnRecords && error instanceof Error && !('code' in error)) {
      throw new UsageError(`${optionsFile}: ${error.message}`, { cause: error });
    }
    throw explainListenError(error, options.port ?? defaultPort);
  }
}

/** An app that is there from the start, so that the example requests are whole. */
function registerExample({ state }: ReferenceServer): ExampleApp {
  const redirectUri = 'urn:ietf:wg:oauth:2.0:oob';
  const { app, secret } = state.data.apps.register(
    { name: 'Example', website: '', redirectUris: [redirectUri], scopes: ['read', 'write', 'follow'] },
    state.now(),
  );
  return { client_id: app.clientId, client_secret: secret, redirect_uri: redirectUri };
}

/** Who can sign in: the seeded accounts that are still there with their passwords, and those that the options name. */
function signInsOf({ state }: ReferenceServer, { accounts = [] }: ReferenceServerOptions) {
  const own = accounts.flatMap(({ username, password }) => (password === undefined ? [] : [{ username, password }]));
  const seed = Number(state.data.fact('seed') ?? 1);
  const seeded = seededAccounts(seed).filter(({ username }) => own.every((account) => account.username !== username));
  return [...seeded, ...own].filter(({ username }) => state.data.accounts.findByUsername(username) !== undefined);
}
