import { CrawlerState } from './crawler.ts';
import { KnownDomains } from './domains/known-domains.ts';
import { Changes } from './history/changes.ts';
import { UsageHistory } from './history/usage-history.ts';
import { OptedOut } from './opt-outs/opted-out.ts';
import { KnownSources } from './sources/known-sources.ts';
import { Database } from './sqlite/database.ts';
import { rememberFile } from './sqlite/database-file.ts';
import { connectReadOnly } from './sqlite/sqlite.ts';
import { type FlagOptions, KnownInstances } from './visits/known-instances.ts';
import { Uptimes } from './visits/uptimes.ts';
import { VisitLog } from './visits/visit-log.ts';

export interface ReaderOptions {
  /** Default: `crowdedFrom` 10, `staleDays` 7. */
  flags?: FlagOptions;
  /** Reads the state at the time of opening, so that several queries agree. The write-ahead log grows while such a reader is open. */
  snapshot?: boolean;
  /** How long a statement may block the thread while another process holds a lock. Default: 5,000. */
  busyTimeoutMs?: number;
  /** Whether the path still names the file that was opened. Default: compares with the file that this reader opens. */
  isInPlace?: () => boolean;
}

/**
 * Opens a read-only connection to the database of a store.
 *
 * @throws StoreError
 */
export function openReader(path: string, options: ReaderOptions = {}): StoreReader {
  const { isInPlace = rememberFile(path), busyTimeoutMs = 5_000, snapshot = false, flags } = options;
  const sqlite = connectReadOnly(path, busyTimeoutMs);
  const database = new Database(sqlite, path, isInPlace);
  try {
    return database.read(() => {
      // A read transaction takes its snapshot at its first select.
      if (snapshot) sqlite.exec('begin; select 1 from domains limit 1');
      return new StoreReader(database, flags);
    });
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** A read-only connection, with what can be read. Iterators stream in constant memory, and can be abandoned early. */
export class StoreReader implements Disposable {
  readonly optOuts: OptedOut;
  readonly domains: KnownDomains;
  readonly instances: KnownInstances;
  readonly changes: Changes;
  readonly usage: UsageHistory;
  readonly visits: VisitLog;
  readonly uptimes: Uptimes;
  readonly sources: KnownSources;
  readonly crawler: CrawlerState;
  readonly #database: Database;

  constructor(database: Database, flags?: FlagOptions) {
    this.#database = database;
    this.optOuts = new OptedOut(database);
    this.sources = new KnownSources(database, this.optOuts.isHidden);
    this.domains = new KnownDomains(database, this.optOuts, this.sources);
    this.changes = new Changes(database, this.optOuts.isHidden);
    this.usage = new UsageHistory(database);
    this.visits = new VisitLog(database);
    this.uptimes = new Uptimes(database);
    this.crawler = new CrawlerState(database);
    this.instances = new KnownInstances(database, this, flags);
  }

  [Symbol.dispose](): void {
    this.#database.sqlite.close();
  }

  /** Changes whenever another connection commits; constant on a snapshot. */
  dataVersion(): number {
    return this.#database.dataVersion();
  }
}
