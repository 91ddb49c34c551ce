import { resolve } from 'node:path';
import {
  createReferenceServer,
  DatabaseError,
  exampleApp,
  giveToken,
  JsonFileError,
  type ReferenceServer,
  type ReferenceServerOptions,
  readServerOptions,
} from '../reference/index.ts';
import { UsageError } from './command.ts';
import { referenceExamples, type ServerFacts, signInsOf } from './reference-examples.ts';

/** An options file and its content. */
export interface OptionsFile {
  path: string;
  options: ReferenceServerOptions;
}

/**
 * Reads the file that `--options` names.
 * @param database the value of `--database`, which overrides the file.
 * @throws {JsonFileError} naming every problem of the file.
 */
export function optionsFileOf(text: string, cwd: string, database: string | undefined): OptionsFile {
  const path = resolve(cwd, text);
  const { $schema: _, ...options } = readServerOptions(path, { database });
  return { path, options };
}

export interface ReferenceServerFlags
  extends Pick<ReferenceServerOptions, 'port' | 'host' | 'url' | 'profile' | 'tls' | 'database' | 'seed' | 'control'> {
  file: OptionsFile | undefined;
  /** The folder that relative paths resolve against. */
  cwd: string;
}

const defaultPort = 8_089;

/**
 * Starts one server. Flags override the options file.
 * @throws {UsageError | JsonFileError} when a flag or the options file cannot be used.
 */
export async function startReferenceServer({ file, cwd, ...flags }: ReferenceServerFlags): Promise<Started> {
  const options: ReferenceServerOptions = { port: defaultPort, ...file?.options, ...flags };
  if (options.database !== undefined) options.database = resolve(cwd, options.database);
  // A reset registers the app and issues the token again; with the same seed they are the same.
  if (options.control !== undefined) options.control.afterReset = () => factsOf(server, options);
  const server = await start(options, file?.path);
  const facts = factsOf(server, options);
  return { facts, text: referenceExamples(facts), [Symbol.asyncDispose]: server.close };
}

function factsOf(server: ReferenceServer, options: ReferenceServerOptions): ServerFacts {
  const { url, port, caFile, state, control } = server;
  const app = exampleApp(state);
  const accounts = signInsOf(server, options);
  const token = accounts[0] === undefined ? null : giveToken(server, { username: accounts[0].username }).access_token;
  const videos = state.data.videos.all().map(({ id }) => id);
  const { profile } = state;
  return {
    url,
    port,
    accounts,
    token,
    videos,
    caFile,
    profile,
    app,
    control: control === null ? null : { url: control.url, token: control.token },
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
    const { port } = error as { port?: number };
    const isControl = options.control?.port === port && options.port !== port;
    throw explainListenError(error, port ?? defaultPort, isControl ? '--control' : '--port');
  }
}

const problems: Readonly<Record<string, (port: number, flag: string) => string>> = {
  EADDRINUSE: (port, flag) =>
    `port ${port} is in use; stop the program that uses it, or name another with ${flag} (0: any free port)`,
  EACCES: (port, flag) => `port ${port} needs more rights; set ${flag} to 1024 or higher`,
  EADDRNOTAVAIL: () => 'the address is not an address of this machine; set --host to one',
  ENOTFOUND: () => 'the address cannot be resolved; set --host to an address of this machine',
};

/** Turns a listen error into a {@link UsageError} that names the flag of the port; returns any other error unchanged. */
export function explainListenError(error: unknown, port: number, flag = '--port'): unknown {
  const problem = problems[(error as NodeJS.ErrnoException)?.code ?? ''];
  return problem === undefined ? error : new UsageError(`the reference server cannot listen: ${problem(port, flag)}`);
}

/** A running server or fleet, with its descriptions. */
export interface Started extends AsyncDisposable {
  /** For a machine: one line of JSON. */
  facts: object;
  /** For a person. */
  text: string;
}
