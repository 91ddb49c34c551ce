import { resolve } from 'node:path';
import {
  createReferenceServer,
  DatabaseError,
  JsonFileError,
  type ReferenceServer,
  type ReferenceServerOptions,
  readServerOptions,
} from '../reference/index.ts';
import { UsageError } from './command.ts';
import { exampleApp, referenceExamples, signInsOf } from './reference-examples.ts';

/** A file of options that was read. */
export interface OptionsFile {
  path: string;
  options: ReferenceServerOptions;
}

/**
 * Reads what `--options` names.
 * @param database that of `--database`, which goes before the file's.
 * @throws {JsonFileError} that names everything wrong with it.
 */
export function optionsFileOf(text: string, cwd: string, database: string | undefined): OptionsFile {
  const path = resolve(cwd, text);
  const { $schema: _, ...options } = readServerOptions(path, { database });
  return { path, options };
}

export interface ReferenceServerFlags
  extends Pick<ReferenceServerOptions, 'port' | 'host' | 'profile' | 'tls' | 'database' | 'seed'> {
  file: OptionsFile | undefined;
  /** Folder that a relative path is taken from. */
  cwd: string;
}

const defaultPort = 8_089;

/**
 * Starts one server; flags go before what the options file says.
 * @throws {UsageError | JsonFileError} when something that was named cannot be used.
 */
export async function startReferenceServer({ file, cwd, ...flags }: ReferenceServerFlags): Promise<Started> {
  const options: ReferenceServerOptions = { port: defaultPort, ...file?.options, ...flags };
  if (options.database !== undefined) options.database = resolve(cwd, options.database);
  const server = await start(options, file?.path);
  const app = exampleApp(server);
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

async function start(options: ReferenceServerOptions, path: string | undefined): Promise<ReferenceServer> {
  try {
    return await createReferenceServer(options);
  } catch (error) {
    if (error instanceof DatabaseError) throw new UsageError(error.message, { cause: error });
    if (error instanceof JsonFileError && path !== undefined) {
      throw new JsonFileError(path, error.problems, { cause: error });
    }
    throw explainListenError(error, options.port ?? defaultPort);
  }
}

const problems: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: (port) =>
    `port ${port} is taken; stop what listens there, or name another with --port, 0 for any free one`,
  EACCES: (port) => `port ${port} may not be listened on; name one from 1024 up with --port`,
  EADDRNOTAVAIL: () => 'the address is none of this machine; name one that is with --host',
  ENOTFOUND: () => 'the address is not known; name one of this machine with --host',
};

/** The error of a server that could not start to listen, in one sentence; any other error as it is. */
export function explainListenError(error: unknown, port: number): unknown {
  const problem = problems[(error as NodeJS.ErrnoException)?.code ?? ''];
  return problem === undefined ? error : new UsageError(`the reference server cannot listen: ${problem(port)}`);
}

/** A server or a fleet that runs, and how to tell of it. */
export interface Started extends AsyncDisposable {
  /** For a machine: one line of JSON. */
  facts: object;
  /** For a person. */
  text: string;
}
