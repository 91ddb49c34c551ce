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
import { exampleApp } from './example-app.ts';
import { explainListenError } from './listen-error.ts';
import { referenceExamples } from './reference-examples.ts';
import { signInsOf } from './sign-ins.ts';
import type { Started } from './started.ts';

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
