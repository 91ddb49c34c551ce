import { describeWorker } from '../directory/worker.ts';
import type { Logger } from '../logger.ts';
import type { Settings } from '../settings/schema.ts';
import { rememberFile } from '../store/sqlite/database-file.ts';
import { movedError, StoreError } from '../store/sqlite/store-error.ts';
import { openReader } from '../store/store-reader.ts';
import { VERSION } from '../version.ts';
import { isFatal } from './health.ts';
import { BUSY_TIMEOUT_MS, listen, type WebServer } from './web-server.ts';

/** Interval between checks that the database file is still in place. */
const CHECK_MS = 1_000;

export interface ReadOnlyServer extends WebServer {
  /** Resolves with an error when the database file is damaged, or was moved, deleted or replaced (answers would be stale); never rejects. */
  readonly broken: Promise<Error>;
}

/**
 * Serves the API and the pages over an existing database, which is only read. A service may be using it.
 *
 * @throws {ListenError} {StoreError}
 */
export async function serve(settings: Settings, logger: Logger): Promise<ReadOnlyServer> {
  const startedAt = new Date().toISOString();
  const isInPlace = rememberFile(settings.database);
  const reader = openReader(settings.database, { busyTimeoutMs: BUSY_TIMEOUT_MS, isInPlace });
  const broken = Promise.withResolvers<Error>();
  const onReadError = (error: unknown) => {
    if (isFatal(error)) broken.resolve(error);
    else logger.error({ err: error }, 'the directory could not be read; the last version stays in use');
  };
  const health = () => {
    const common = { version: VERSION, startedAt };
    try {
      const workers = reader.crawler.workers().map(describeWorker);
      return {
        status: 'ok' as const,
        problems: [],
        ...common,
        ...(workers.length === 0 ? {} : { workers }),
        visits: { recorded: reader.visits.lastId(), byVerdict: {} },
      };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { status: 'failing' as const, problems: [error.message], ...common };
    }
  };
  try {
    const server = await listen({ settings, logger, health, onReadError });
    const watch = watchFile(isInPlace, settings.database);
    return {
      url: server.url,
      broken: Promise.race([watch.moved, broken.promise]),
      async [Symbol.asyncDispose]() {
        watch[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
        reader[Symbol.dispose]();
      },
    };
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

/** `moved` resolves once the file is gone or replaced. An error of the check itself is ignored: the next read reports it. */
function watchFile(isInPlace: () => boolean, path: string): Disposable & { moved: Promise<Error> } {
  const moved = Promise.withResolvers<Error>();
  const timer = setInterval(() => {
    try {
      if (!isInPlace()) moved.resolve(movedError(path));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }, CHECK_MS);
  return { moved: moved.promise, [Symbol.dispose]: () => clearInterval(timer) };
}
