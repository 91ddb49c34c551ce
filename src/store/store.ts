import { CrawlerState, type CrawlingProcess } from './crawler.ts';
import { Domains } from './domains/domains.ts';
import { DueDomains } from './domains/pick-domains.ts';
import { OptOuts } from './opt-outs/opt-outs.ts';
import { Sources } from './sources/sources.ts';
import type { Database } from './sqlite/database.ts';
import { realPath } from './sqlite/database-file.ts';
import { type Role, takeRole } from './sqlite/locks.ts';
import { openReader, type ReaderOptions, type StoreReader } from './store-reader.ts';
import { Visits } from './visits/visits.ts';

/** Minimum time between two checks for new opt-outs, since every request of a visit asks whether its host has opted out. */
const OPT_OUT_CHECK_MS = 10;

/**
 * The database, opened for reading and writing. Every method is synchronous and every transaction is short; all methods throw
 * StoreError. Times are milliseconds since the epoch.
 */
export class Store implements AsyncDisposable {
  /** An opt-out by another process is visible within 10 ms, and at once inside a write. */
  readonly optOuts: OptOuts;
  readonly domains: Domains;
  /** The due domains; only the process with the role `crawl` picks. */
  readonly due: DueDomains;
  readonly visits: Visits;
  readonly sources: Sources;
  readonly crawler: CrawlerState;
  readonly #database: Database;
  readonly #busyTimeoutMs: number;

  constructor(database: Database, busyTimeoutMs: number) {
    this.#database = database;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.optOuts = new OptOuts(database, OPT_OUT_CHECK_MS);
    this.domains = new Domains(database, this.optOuts);
    this.due = new DueDomains(database);
    this.visits = new Visits(database, this.optOuts);
    this.sources = new Sources(database, this.optOuts);
    this.crawler = new CrawlerState(database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.sqlite.close();
  }

  /** Calls methods that write, in one transaction. */
  inOneTransaction<Result>(work: () => Result): Result {
    return this.#database.write(work);
  }

  /** Opens a read-only connection, which sees committed data; the caller disposes of it. */
  reader(options?: ReaderOptions): StoreReader {
    const { path, isInPlace } = this.#database;
    return openReader(path, { busyTimeoutMs: this.#busyTimeoutMs, isInPlace, ...options });
  }

  /** Whether the file at the path is still the one that was opened; false once it was deleted or replaced. */
  isInPlace(): boolean {
    return this.#database.isInPlace();
  }

  dataVersion(): number {
    return this.#database.dataVersion();
  }

  /** Takes a role, which ends when disposed of or when this process dies; null when another process holds it. */
  takeRole(role: Role): Disposable | null {
    // Locks are named after the real path, so that symbolic links to one file share them.
    return this.#database.read(() => takeRole(realPath(this.#database.path), role));
  }

  /**
   * Becomes the crawling process until disposed of: counts the visits that an earlier one left in progress, and marks its source runs as
   * broken. If another process is crawling, returns what that process stored of itself.
   */
  startCrawling(
    crawler: CrawlingProcess,
  ): (Disposable & { readonly cutOff: number }) | { readonly heldBy: CrawlingProcess | null } {
    const role = this.takeRole('crawl');
    if (role === null) return { heldBy: this.crawler.process() };
    try {
      this.crawler.recordProcess(crawler);
      const cutOff = this.due.recover(crawler.since);
      this.sources.breakUnended(crawler.since);
      return { cutOff, [Symbol.dispose]: () => role[Symbol.dispose]() };
    } catch (error) {
      role[Symbol.dispose]();
      throw error;
    }
  }
}
