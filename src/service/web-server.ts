import type { AddressInfo } from 'node:net';
import { createApi } from '../api/create-api.ts';
import type { CrawlerStatus } from '../directory/crawler-status.ts';
import { createDirectory } from '../directory/directory.ts';
import type { Submit } from '../directory/submit.ts';
import { createDataFolder } from '../export/files/data-folder.ts';
import { createExportedFiles } from '../export/files/exported-files.ts';
import type { Logger } from '../logger.ts';
import type { Clock, EpochMs } from '../model/time.ts';
import type { Settings } from '../settings/schema.ts';
import { createBrand } from '../site/brand.ts';
import type { CheckForUser } from '../site/check/check-answer.ts';
import { addSite, createErrorPage, createFrame } from '../site/routes.ts';
import type { SiteContext } from '../site/site-page.ts';
import { openReader } from '../store/store-reader.ts';
import { VERSION } from '../version.ts';
import { createAbout } from './about.ts';
import { explainFrom } from './explain-domain.ts';

/** A running server of the API and the pages. */
export interface WebServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:8080`. */
  url: string;
}

export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly kind = 'setting';
}

interface ListenOptions {
  settings: Settings;
  /** The settings in force, if they can change. Default: `settings`. */
  currentSettings?: () => Settings;
  logger: Logger;
  health: () => CrawlerStatus;
  /** Called when the database cannot be read. Default: logs the error. */
  onReadError?: (error: unknown) => void;
  /** Visits a submitted domain. Undefined: this process visits nothing. */
  submit?: Exclude<Submit, string>;
  /** Checks servers for visitors, if `serve.check` allows it. Undefined: this process contacts no server. */
  check?: CheckForUser;
  /** Milliseconds since the epoch. Default: the system clock. */
  now?: () => EpochMs;
}

/** Reading the health queries the database, so all requests within this time share one result. */
const HEALTH_CACHE_MS = 5_000;
/** A locked database blocks the event loop for at most this long. */
export const BUSY_TIMEOUT_MS = 50;

/**
 * Starts the API and the pages over an existing database, on its own read-only connections.
 *
 * @throws {ListenError} {StoreError}
 */
export async function listen(options: ListenOptions): Promise<WebServer> {
  const { settings, currentSettings = () => settings, logger, submit, check, now = Date.now } = options;
  const clock = () => performance.now();
  const health = cachedFor(HEALTH_CACHE_MS, options.health, clock);
  const { serve, database } = settings;
  const open = (snapshot: boolean) =>
    openReader(database, { busyTimeoutMs: BUSY_TIMEOUT_MS, snapshot, flags: currentSettings().flags });
  const brand = createBrand(settings.site);
  if (brand.missingWords.length > 0)
    logger.warn({ keys: brand.missingWords }, 'site.words lacks these texts; the pages show ours');
  const parts = createParts();
  try {
    const reader = parts.add(open(false));
    const directory = parts.add(
      createDirectory({
        reader,
        openSnapshot: () => open(true),
        onError:
          options.onReadError ??
          ((error) => logger.error({ err: error }, 'the directory could not be read; the last version stays in use')),
        now,
        clock,
      }),
    );
    const explain: SiteContext['explain'] = (domain, options) => {
      const newest = directory.snapshot().newest?.version ?? null;
      return explainFrom(reader, currentSettings(), domain, { ...options, newest, isVisitor: true });
    };
    const allowSuffixes = () => currentSettings().domains.allowSuffixes;
    const submissions = serve.submissions ? (submit ?? 'no-crawler') : 'off';
    const api = await createApi({
      errorPage: createErrorPage(brand),
      renderPage: createFrame(brand),
      logger,
      version: VERSION,
      directory,
      reader,
      explain,
      findExportedFile: createExportedFiles(() => currentSettings().export.dir),
      health,
      allowSuffixes,
      submissions,
      submissionsPerHour: serve.submissionsPerHour,
      ratePerMinute: serve.ratePerMinute,
      trustProxy: serve.trustProxy,
      now,
      clock,
    });
    addSite(api, {
      about: createAbout(currentSettings),
      data: createDataFolder(() => currentSettings().export.dir),
      status: health,
      directory,
      reader,
      allowSuffixes,
      explain,
      check: serve.check ? (check ?? null) : null,
      submissions,
      brand,
      random: Math.random,
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
    throw toListenError(error, serve);
  }
}

/** Returns the last value for a time, by a monotonic clock. */
function cachedFor<Value>(maxAgeMs: number, read: () => Value, clock: Clock): () => Value {
  let last: { readonly at: number; readonly value: Value } | null = null;
  return () => {
    if (last === null || clock() - last.at >= maxAgeMs) last = { at: clock(), value: read() };
    return last.value;
  };
}

/** Disposes of its parts in reverse order, like `AsyncDisposableStack`, which Node 22 lacks. */
function createParts() {
  const stack: (Disposable | AsyncDisposable)[] = [];
  return {
    add<Part extends Disposable | AsyncDisposable>(part: Part): Part {
      stack.push(part);
      return part;
    },
    async [Symbol.asyncDispose]() {
      for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
        if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]();
        else part[Symbol.dispose]();
      }
    },
  };
}

const PROBLEMS: Readonly<Record<string, (serve: Settings['serve']) => string>> = {
  EADDRINUSE: ({ port }) =>
    `port ${port} is in use; stop the program that uses it, or set serve.port (0: any free port)`,
  EACCES: ({ port }) => `port ${port} needs more rights; set serve.port to 1024 or higher`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine; set serve.host to one`,
  ENOTFOUND: ({ host }) => `${host} cannot be resolved; set serve.host to an address of this machine`,
};

function toListenError(error: unknown, serve: Settings['serve']): unknown {
  const problem = error instanceof Error && 'code' in error ? PROBLEMS[String(error.code)] : undefined;
  return problem === undefined
    ? error
    : new ListenError(`the service cannot listen: ${problem(serve)}`, { cause: error });
}
