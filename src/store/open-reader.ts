import { inflateSync } from 'node:zlib';
import type { Domain } from '../domain/domain.ts';
import { createCompiler } from './compiler.ts';
import { createDomainCounter } from './count-domains.ts';
import { domainColumns, toDomainRecord } from './domain-row.ts';
import { listed } from './listed.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { connectReadOnly, type Sqlite } from './sqlite.ts';
import type { ReaderOptions } from './store.ts';
import { StoreError } from './store-error.ts';
import type { StoreReader } from './store-reader.ts';
import { toStoreError, working } from './to-store-error.ts';
import { toFacts, toStoredVisit } from './visit-row.ts';

type Nothing = Record<never, never>;
type OfDomain = { domain: Domain };

/** Opens a read-only connection to the database of a store. */
export function openReader(
  path: string,
  { busyTimeoutMs, snapshot = false }: ReaderOptions & { busyTimeoutMs: number },
): StoreReader {
  const sqlite = connectReadOnly(path, busyTimeoutMs);
  try {
    return working(path, () => createReader(sqlite, path, snapshot));
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function createReader(sqlite: Sqlite, path: string, snapshot: boolean): StoreReader {
  const db = createCompiler();
  // A read transaction begins with the first thing read.
  if (snapshot) sqlite.exec('begin; select 1 from domains limit 1');

  const count = createDomainCounter(sqlite, db);
  const one = prepare(sqlite, (value: Placeholder<OfDomain>) =>
    db.selectFrom('domains').select(domainColumns).where('domain', '=', value('domain')),
  );
  const visits = prepare(sqlite, (_value: Placeholder<Nothing>) =>
    db.selectFrom('visits').select((row) => row.fn.countAll<number>().as('count')),
  );
  const document = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.selectFrom('documents').selectAll().where('id', '=', value('id')),
  );
  // Prepared anew for each iteration: one statement cannot be in two iterations at a time.
  const allDomains = () =>
    prepare(sqlite, (_value: Placeholder<Nothing>) =>
      db.selectFrom('domains').select(domainColumns).orderBy('domain'),
    ).iterate({});
  const instances = () =>
    prepare(sqlite, (_value: Placeholder<Nothing>) =>
      db
        .selectFrom('domains')
        .innerJoin('facts', 'facts.domain_id', 'domains.id')
        .select([...domainColumns, 'facts', 'checked_at'])
        .where(listed)
        .orderBy('domain'),
    ).iterate({});
  const visitsOfDomain = (domain: Domain) =>
    prepare(sqlite, (value: Placeholder<OfDomain>) =>
      db
        .selectFrom('visits')
        .selectAll()
        .where('domain_id', '=', (row) => row.selectFrom('domains').select('id').where('domain', '=', value('domain')))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc'),
    ).iterate({ domain });

  const understood = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (cause) {
      const problem = 'holds a row that cannot be understood; restore it from a backup';
      throw new StoreError('corrupt', path, problem, { cause });
    }
  };
  function* mapped<Row, Result>(rows: () => Iterable<Row>, map: (row: Row) => Result): IterableIterator<Result> {
    try {
      for (const row of rows()) yield understood(() => map(row));
    } catch (error) {
      throw toStoreError(error, path, 'working');
    }
  }

  return {
    counts: (at) => working(path, () => count(at)),
    find: (domain) =>
      working(path, () => {
        const row = one.get({ domain });
        return row === undefined ? null : toDomainRecord(row);
      }),
    domains: () => mapped(allDomains, toDomainRecord),
    instances: () =>
      mapped(instances, (row) => ({ ...toDomainRecord(row), facts: toFacts(row.facts), checkedAt: row.checked_at })),
    visitsOf: (domain) =>
      mapped(
        () => visitsOfDomain(domain),
        (row) => toStoredVisit(row, domain),
      ),
    completedVisits: () => working(path, () => visits.get({})?.count ?? 0),
    document: (id) =>
      working(path, () => {
        const row = document.get({ id });
        if (row === undefined) return null;
        const body = row.deflated === 1 ? inflateSync(row.body, { maxOutputLength: row.bytes }) : row.body;
        return { sha256: Buffer.from(row.sha256).toString('hex'), body: new Uint8Array(body) };
      }),
    [Symbol.dispose]: () => {
      sqlite.close();
    },
  };
}
