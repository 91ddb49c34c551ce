import { resolve } from 'node:path';
import { createDomainIntake } from './frontier/enter-domains.ts';
import { createSourceEntry } from './frontier/enter-from.ts';
import { createOfflineRecorder } from './frontier/offline.ts';
import { DueDomains } from './frontier/pick-domains.ts';
import { createReactivation } from './frontier/reactivate-domains.ts';
import { createMetadataReader, createMetadataWriter } from './metadata.ts';
import { migrations } from './migrations/index.ts';
import { openReader } from './open-reader.ts';
import { createForgetter } from './opt-outs/forget-domains.ts';
import { createOptOutCache } from './opt-outs/opted-out.ts';
import { createActiveSourceSync, createSkippedSourceRecorder } from './sources/active-sources.ts';
import { createReleaseRecorder } from './sources/releases.ts';
import { createRunStore } from './sources/source-runs.ts';
import { realPath, rememberFile } from './sqlite/database-file.ts';
import { takeRole } from './sqlite/locks.ts';
import { migrate, requireMigrated } from './sqlite/migrate.ts';
import { createCompiler } from './sqlite/prepare.ts';
import { connect, connectReadOnlyWhenFree, isBusy, type Sqlite, withOpeningErrors } from './sqlite/sqlite.ts';
import { StoreError, withStoreErrors } from './sqlite/store-error.ts';
import { CrawlingProcess, type Store } from './store.ts';
import { createDocumentWriter } from './visits/documents.ts';
import { createVisitRecorder } from './visits/record-visits.ts';
import { createRobotsAndAliasReader } from './visits/robots-and-alias.ts';
import { createWorkerRecorder } from './workers.ts';

export interface StoreOptions {
  path: string;
  /** The database must exist and be up to date; methods that write throw. */
  readOnly?: boolean;
  /** How long a statement may block the thread while another connection holds a lock. A transaction is tried twice. */
  busyTimeoutMs?: number;
}

/**
 * Opens the database at `path`. Unless `readOnly`, creates it with its folder and migrates it.
 *
 * @throws StoreError when the path is unusable, the database belongs to another program, or a newer Loopscout wrote it.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { readOnly = false, busyTimeoutMs = 1_000 } = options;
  const path = resolve(options.path);
  const sqlite = readOnly ? await connectReadOnlyWhenFree(path, busyTimeoutMs) : await connect(path, busyTimeoutMs);
  return withOpeningErrors(path, async () => {
    try {
      if (readOnly) requireMigrated(sqlite, path, migrations);
      else await migrate(sqlite, path, migrations);
      return createStore({ sqlite, path, readOnly, busyTimeoutMs });
    } catch (error) {
      sqlite.close();
      throw error;
    }
  });
}

/** The key under which the crawling process stores itself. */
const CRAWLER = 'crawler';
/** Minimum time between two checks for new opt-outs, since every request of a visit asks whether its host has opted out. */
const OPT_OUT_CHECK_MS = 10;

function createStore({ sqlite, path, readOnly, busyTimeoutMs }: Required<StoreOptions> & { sqlite: Sqlite }): Store {
  const db = createCompiler();
  // Locks are named after the real path, so that symbolic links to one file share them.
  const lockPath = realPath(path);
  const isInPlace = rememberFile(path);
  const reading = <Result>(work: () => Result): Result => withStoreErrors(path, work, isInPlace);
  const writing = <Result>(work: () => Result): Result => {
    if (readOnly) throw new StoreError('read-only', path, 'was opened read-only; open it for writing');
    return reading(() => {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw error;
        return work();
      }
    });
  };
  const readCrawler = createMetadataReader(sqlite, db, CRAWLER, CrawlingProcess);
  const writeCrawler = createMetadataWriter<CrawlingProcess>(sqlite, db, CRAWLER);
  const inTransaction = sqlite.transaction(<Result>(work: () => Result) => work());
  const inOneTransaction = <Result>(work: () => Result) => writing(() => inTransaction.immediate(work) as Result);
  const due = new DueDomains(sqlite, db, {
    read: reading,
    write: inOneTransaction,
  });
  const optedOut = createOptOutCache(sqlite, OPT_OUT_CHECK_MS);
  const intake = createDomainIntake(sqlite, db, optedOut);
  const runs = createRunStore(sqlite, db, optedOut);
  const enterFrom = createSourceEntry(sqlite, db, { runs, optedOut });
  const writeDocument = createDocumentWriter(sqlite, db);
  const record = createVisitRecorder(sqlite, db, { writeDocument, optedOut });

  const recordRelease = createReleaseRecorder(sqlite, db);
  const recordOffline = createOfflineRecorder(sqlite, db);
  const recordWorkers = createWorkerRecorder(sqlite, db);
  const recordSkippedSources = createSkippedSourceRecorder(sqlite, db, optedOut);
  const syncActiveSources = createActiveSourceSync(sqlite, db);
  const { cachedRobots, aliasOf } = createRobotsAndAliasReader(sqlite, db);

  const reactivate = createReactivation(sqlite, db, intake);
  const forgetter = createForgetter(sqlite, db, { optedOut, enter: intake.enter });

  return {
    enter: (domains, at) => writing(() => intake.enter(domains, at)),
    enterFound: (domains, at, mostPerRegistrable) => writing(() => intake.enterFound(domains, at, mostPerRegistrable)),
    beginRun: (source, at) => writing(() => runs.beginRun(source, at)),
    enterFrom: (run, candidates, at, limits) => writing(() => enterFrom(run, candidates, at, limits)),
    endRun: (run, end, at) => writing(() => runs.endRun(run, end, at)),
    syncActiveSources: (keys) => writing(() => syncActiveSources(keys)),
    recordSkippedSources: (sources) => writing(() => recordSkippedSources(sources)),
    optedOut: {
      get size() {
        return reading(() => optedOut.size);
      },
      has: (name) => reading(() => optedOut.has(name)),
    },
    requestVisit: (domains, at, request) => writing(() => intake.requestVisit(domains, at, request)),
    reactivate: (domains, at, update) => writing(() => reactivate(domains, at, update)),
    forget: (domains, at) => writing(() => forgetter.forget(domains, at)),
    unpublishedPurge: () => reading(() => forgetter.unpublishedPurge()),
    markPurgePublished: (purge) => writing(() => forgetter.markPurgePublished(purge)),
    due,
    inOneTransaction,
    record: (results) => writing(() => record(results)),
    recordRelease: (version, at) => writing(() => recordRelease(version, at)),
    recordOffline: (at) => writing(() => recordOffline(at)),
    recordWorkers: (seen) => writing(() => recordWorkers(seen)),
    cachedRobots: (domain) => reading(() => cachedRobots(domain)),
    aliasOf: (domain) => reading(() => aliasOf(domain)),
    isInPlace,
    startCrawling(crawler) {
      const role = reading(() => takeRole(lockPath, 'crawl'));
      if (role === null) return { heldBy: reading(() => readCrawler()) };
      try {
        writing(() => inTransaction.immediate(() => writeCrawler(crawler)));
        const cutOff = due.recover(crawler.since);
        writing(() => runs.breakUnended(crawler.since));
        return { cutOff, [Symbol.dispose]: () => role[Symbol.dispose]() };
      } catch (error) {
        role[Symbol.dispose]();
        throw error;
      }
    },
    dataVersion: () => reading(() => sqlite.pragma('data_version', { simple: true }) as number),
    takeRole: (role) => reading(() => takeRole(lockPath, role)),
    reader: (readerOptions) => openReader(path, { busyTimeoutMs, isInPlace, ...readerOptions }),
    async [Symbol.asyncDispose]() {
      sqlite.close();
    },
  };
}
