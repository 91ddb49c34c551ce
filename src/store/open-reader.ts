import type { Domain } from '../model/domain/domain.ts';
import { REFUSALS } from '../model/reason.ts';
import { createBacklogReader } from './frontier/pick-domains.ts';
import { createBulkReader } from './history/read-bulk.ts';
import { createHistoryReader } from './history/read-history.ts';
import { createInstanceHistoryReader } from './history/read-instance-histories.ts';
import { createHiddenReader, createOptOutCache, createOptOutCounter } from './opt-outs/opted-out.ts';
import { createRequestReader } from './opt-outs/requests.ts';
import { createDomainCounter } from './read/count-domains.ts';
import { listed } from './read/listed.ts';
import { createInstanceReader } from './read/read-instances.ts';
import { createListingReader } from './read/read-listing.ts';
import { createPageReader } from './read/read-pages.ts';
import { createMembershipReader } from './sources/read-memberships.ts';
import { createSourceReader } from './sources/read-sources.ts';
import { rememberFile } from './sqlite/database-file.ts';
import { createCompiler, createIteration, prepare, type QueryParameter } from './sqlite/prepare.ts';
import { createReadScope } from './sqlite/read-scope.ts';
import { connectReadOnly, type Sqlite } from './sqlite/sqlite.ts';
import { withStoreErrors } from './sqlite/store-error.ts';
import type { FlagOptions, ReaderOptions } from './store.ts';
import type { StoreReader } from './store-reader.ts';
import { domainColumns, toDomainRecord } from './visits/domain-row.ts';
import { createLastVisitUnderAnyNameReader } from './visits/names-of-host.ts';
import { createLastVisitReader, createVisitReader } from './visits/read-visits.ts';
import { createWorkerReader } from './workers.ts';

export interface OpeningOptions extends ReaderOptions {
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
export function openReader(path: string, options: OpeningOptions = {}): StoreReader {
  const { isInPlace = rememberFile(path), busyTimeoutMs = 5_000 } = options;
  const sqlite = connectReadOnly(path, busyTimeoutMs);
  try {
    return withStoreErrors(path, () => createReader(sqlite, path, { ...options, isInPlace }), isInPlace);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

const DEFAULT_FLAGS: FlagOptions = { crowdedFrom: 10, staleDays: 7 };

function createReader(
  sqlite: Sqlite,
  path: string,
  { snapshot = false, flags = DEFAULT_FLAGS, isInPlace }: ReaderOptions & { isInPlace: () => boolean },
): StoreReader {
  const db = createCompiler();
  // A read transaction takes its snapshot at its first select.
  if (snapshot) sqlite.exec('begin; select 1 from domains limit 1');

  const scope = createReadScope(path, isInPlace);
  const { read, stream } = scope;
  const count = createDomainCounter(sqlite, db);
  const backlog = createBacklogReader(sqlite, db);
  const optedOut = createOptOutCache(sqlite);
  const countOptOuts = createOptOutCounter(sqlite);
  const requests = createRequestReader(sqlite);
  const listingOf = createListingReader(sqlite, db);
  const workers = createWorkerReader(sqlite, db);
  const isHidden = createHiddenReader(sqlite, optedOut);
  const lastVisitUnderAnyName = createLastVisitUnderAnyNameReader(sqlite, db);
  const findDomain = prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
    db.selectFrom('domains').select(domainColumns).where('domain', '=', parameter('domain')),
  );
  const allDomains = createIteration(() =>
    prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
      db.selectFrom('domains').select(domainColumns).orderBy('domain'),
    ),
  );

  const refusing = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('domains').select('domain').where('reason', 'in', REFUSALS).where(listed).orderBy('domain'),
  );

  return {
    counts: (at) => read(() => count(at)),
    find: (domain) =>
      read(() => {
        const row = findDomain.get({ domain });
        return row === undefined ? null : toDomainRecord(row);
      }),
    domains: () => stream(() => allDomains({}), toDomainRecord),
    backlog: (at, most) => read(() => backlog(at, most)),
    refusing: () => read(() => refusing.all({}).map(({ domain }) => domain)),
    listingOf: (domain) => read(() => listingOf(domain)),
    workers: () => read(workers),
    optOutCount: () => read(countOptOuts),
    lastRequest: () => read(requests.last),
    hasRequestSince: (mark) => read(() => requests.hasSince(mark)),
    optedOut: {
      get size() {
        return read(() => optedOut.size);
      },
      has: (name) => read(() => optedOut.has(name)),
    },
    isHidden: (domain) => read(() => isHidden(domain)),
    lastVisitUnderAnyName: (name, upTo) => read(() => lastVisitUnderAnyName(name, upTo)),
    ...createInstanceReader(sqlite, db, scope, flags),
    ...createHistoryReader(sqlite, db, scope),
    ...createVisitReader(sqlite, db, scope),
    ...createLastVisitReader(sqlite, db, scope),
    ...createBulkReader(sqlite, db, scope),
    ...createInstanceHistoryReader(sqlite, db, scope),
    ...createPageReader(sqlite, db, { scope, isHidden }),
    ...createSourceReader(sqlite, db, scope),
    ...createMembershipReader(sqlite, db, scope),
    [Symbol.dispose]: () => {
      sqlite.close();
    },
  };
}
