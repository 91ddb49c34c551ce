import type { AddressInfo } from 'node:net';
import { createApi } from '../api/create-api.ts';
import type { Told } from '../api/resources/health.ts';
import type { SubmissionDesk } from '../api/submission-desk.ts';
import type { Logger } from '../logger.ts';
import type { Settings } from '../settings/schema.ts';
import { openReader } from '../store/open-reader.ts';
import { VERSION } from '../version.ts';
import { createDirectory } from '../views/directory.ts';
import { aboutOf } from './about.ts';
import { explainFrom } from './explain-domain.ts';

/** The HTTP side of a running service. */
export interface HttpSide extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:8080`. */
  url: string;
}

/** `serve.host` or `serve.port` cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly kind = 'setting';
}

interface HttpOptions {
  settings: Settings;
  /** Those in force, where they can change while it listens. */
  running?: () => Settings;
  logger: Logger;
  health: () => Told;
  /** Where domains are handed in, if the settings allow it; without one, nothing here visits anybody. */
  submit?: Exclude<SubmissionDesk, string>;
  /** Milliseconds since the epoch; the system's unless given. */
  now?: () => number;
}

/** A reader holds up the event loop for no longer than this when somebody changes the database. */
export const BUSY_TIMEOUT_MS = 50;

/**
 * Serves what is in the database, which must exist, through connections of its own that only read.
 *
 * @throws {ListenError} {StoreError}
 */
export async function listen(options: HttpOptions): Promise<HttpSide> {
  const { settings, running = () => settings, logger, health, submit, now = Date.now } = options;
  const { serve, database } = settings;
  const open = (snapshot: boolean) =>
    openReader(database, { busyTimeoutMs: BUSY_TIMEOUT_MS, snapshot, flags: running().flags });
  const parts = createParts();
  try {
    const reader = parts.add(open(false));
    const directory = parts.add(
      createDirectory({
        reader,
        openSnapshot: () => open(true),
        onError: (error) => logger.error({ err: error }, 'the directory could not be read; it is served as it was'),
        now,
        clock: () => performance.now(),
      }),
    );
    const api = await createApi({
      logger,
      version: VERSION,
      directory,
      reader,
      explain: (domain, { visits, now }) => explainFrom(reader, running(), domain, { visits, now }),
      about: aboutOf(running),
      health,
      allowSuffixes: () => running().domains.allowSuffixes,
      submissions: serve.submissions ? (submit ?? 'no-crawler') : 'off',
      submissionsPerHour: serve.submissionsPerHour,
      ratePerMinute: serve.ratePerMinute,
      trustProxy: serve.trustProxy,
      now,
    });
    parts.add({ [Symbol.asyncDispose]: () => api.close() });
    await directory.started;
    await api.listen({ host: serve.host, port: serve.port, listenTextResolver: () => 'listening' });
    const { address, family, port } = api.server.address() as AddressInfo;
    return {
      url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
      [Symbol.asyncDispose]: () => parts[Symbol.asyncDispose](),
    };
  } catch (error) {
    await parts[Symbol.asyncDispose]();
    throw explained(error, serve);
  }
}

/** What is released in reverse, as `AsyncDisposableStack` does, which Node 22 has not. */
function createParts() {
  const held: (Disposable | AsyncDisposable)[] = [];
  return {
    add<Part extends Disposable | AsyncDisposable>(part: Part): Part {
      held.push(part);
      return part;
    },
    async [Symbol.asyncDispose]() {
      for (let part = held.pop(); part !== undefined; part = held.pop()) {
        if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]();
        else part[Symbol.dispose]();
      }
    },
  };
}

const PROBLEMS: Readonly<Record<string, (serve: Settings['serve']) => string>> = {
  EADDRINUSE: ({ port }) => `port ${port} is taken; stop what listens there, or set serve.port, 0 for any free one`,
  EACCES: ({ port }) => `port ${port} may not be listened on; set serve.port to one from 1024 up`,
  EADDRNOTAVAIL: ({ host }) => `${host} is no address of this machine; set serve.host to one that is`,
  ENOTFOUND: ({ host }) => `${host} is not known; set serve.host to an address of this machine`,
};

function explained(error: unknown, serve: Settings['serve']): unknown {
  const problem = error instanceof Error && 'code' in error ? PROBLEMS[String(error.code)] : undefined;
  return problem === undefined
    ? error
    : new ListenError(`the service cannot listen: ${problem(serve)}`, { cause: error });
}
