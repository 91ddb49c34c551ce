import type { Logger } from '../logger.ts';
import type { Settings } from '../settings/schema.ts';
import { openReader } from '../store/open-reader.ts';
import { rememberFile } from '../store/sqlite/database-file.ts';
import { movedError, StoreError } from '../store/sqlite/store-error.ts';
import { VERSION } from '../version.ts';
import { BUSY_TIMEOUT_MS, type HttpSide, listen } from './web-server.ts';

/** How often it is looked whether the database is still where it was. */
const LOOK_MS = 1_000;

export interface Serving extends HttpSide {
  /** Resolves when the database was moved, deleted or replaced: what is answered then is of no use; never otherwise. */
  readonly broken: Promise<Error>;
}

/**
 * The API over an existing database, which is only read; a service may be running on it, or none.
 *
 * @throws {ListenError} {StoreError}
 */
export async function serve(settings: Settings, logger: Logger): Promise<Serving> {
  const startedAt = new Date().toISOString();
  const isInPlace = rememberFile(settings.database);
  const reader = openReader(settings.database, { busyTimeoutMs: BUSY_TIMEOUT_MS, isInPlace });
  const health = () => {
    const told = { version: VERSION, startedAt };
    try {
      return {
        status: 'ok' as const,
        problems: [],
        ...told,
        visits: { recorded: reader.lastVisitId(), byVerdict: {} },
      };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { status: 'failing' as const, problems: [error.message], ...told };
    }
  };
  try {
    const http = await listen({ settings, logger, health });
    const watch = watchPlace(isInPlace, settings.database);
    return {
      url: http.url,
      broken: watch.moved,
      async [Symbol.asyncDispose]() {
        watch[Symbol.dispose]();
        await http[Symbol.asyncDispose]();
        reader[Symbol.dispose]();
      },
    };
  } catch (error) {
    reader[Symbol.dispose]();
    throw error;
  }
}

/** Resolves once the file is another or none. Where it cannot be looked at, nothing is said: reading tells that. */
function watchPlace(isInPlace: () => boolean, path: string): Disposable & { moved: Promise<Error> } {
  const moved = Promise.withResolvers<Error>();
  const timer = setInterval(() => {
    try {
      if (!isInPlace()) moved.resolve(movedError(path));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }, LOOK_MS);
  return { moved: moved.promise, [Symbol.dispose]: () => clearInterval(timer) };
}
