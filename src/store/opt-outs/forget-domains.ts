import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import { isBusy, type Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { documentColumns, documentIdsOf } from '../visits/documents.ts';
import { createOptOutFinder, type OptOutCache } from './opted-out.ts';
import { createOrphanRemover } from './remove-orphans.ts';
import { createReferenceRemover } from './remove-references.ts';

/** How long a purge waits for another connection. */
const BUSY_TIMEOUT_MS = 10_000;

/** The exported files are without the names of all opt-outs up to this id. */
const Published = z.object({ lastId: z.number() });

/**
 * Opts domains out and purges their data. One transaction inserts the opt-outs, deletes all rows that they cover, so that a visit in progress
 * is not recorded, and removes the references to them. Deleted data is overwritten (`secure_delete`).
 */
export function createForgetter(
  sqlite: Sqlite,
  db: Compiler,
  { optedOut, enter }: { optedOut: OptOutCache; enter: Store['enter'] },
): Pick<Store, 'forget' | 'unpublishedPurge' | 'markPurgePublished'> {
  const { findCovered, remove } = createDomainRemover(sqlite, db);
  const references = createReferenceRemover(sqlite, db);
  const optedOutAt = createOptOutFinder(sqlite);
  const insert = prepare(sqlite, (parameter: QueryParameter<{ name: string; at: number }>) =>
    db.insertInto('opt_outs').values({ name: parameter('name'), at: parameter('at') }),
  );
  const last = sqlite.prepare<[], number | null>('select max(id) from opt_outs').pluck();
  const lastId = () => last.get() ?? 0;
  const readPublished = createMetadataReader(sqlite, db, 'opt-outs-published', Published);
  const writePublished = createMetadataWriter<z.infer<typeof Published>>(sqlite, db, 'opt-outs-published');
  const published = () => readPublished()?.lastId ?? 0;
  const markPublished = sqlite.transaction((id: number) => {
    if (id > published()) writePublished({ lastId: id });
  });

  const purge = sqlite.transaction((domains: readonly Domain[], at: number) => {
    const already = domains.filter((domain) => {
      if (optedOutAt(domain) !== null) return true;
      insert.run({ name: domain, at });
      for (const { id } of findCovered(domain)) remove(id);
      return false;
    });
    if (already.length === domains.length) return already;
    // What is known of these domains is what the opted-out hosts say of themselves, so they begin anew.
    const borrowing = references.domainsIdentifiedBy(domains);
    for (const { id } of borrowing) remove(id);
    references.remove(domains);
    enter(
      borrowing.map(({ domain }) => domain),
      at,
    );
    return already;
  });

  return {
    forget(domains, at) {
      const before = sqlite.pragma('busy_timeout', { simple: true });
      sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      try {
        const already = purge.immediate([...new Set(domains)], at);
        optedOut.refresh();
        emptyLog(sqlite);
        return already;
      } finally {
        sqlite.pragma(`busy_timeout = ${before}`);
      }
    },
    unpublishedPurge: () => (published() < lastId() ? lastId() : null),
    markPurgePublished: markPublished.immediate,
  };
}

/** Moves the write-ahead log, which holds former pages, into the database file. A reader can prevent it until the next checkpoint. */
function emptyLog(sqlite: Sqlite): void {
  try {
    sqlite.pragma('wal_checkpoint(truncate)');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Finds the domains covered by an opt-out, and deletes a domain with its rows in other tables. Runs inside the caller's transaction. */
function createDomainRemover(sqlite: Sqlite, db: Compiler) {
  const findNames = prepare(sqlite, (parameter: QueryParameter<{ bareName: string; wwwName: string }>) =>
    db
      .selectFrom('domains')
      .select('id')
      .where('domain', 'in', [parameter('bareName') as never, parameter('wwwName') as never]),
  );
  // ";" follows ":" in ASCII, so `HOST;` sorts after every `HOST:PORT`.
  const findWithPort = prepare(sqlite, (parameter: QueryParameter<{ first: string; beyond: string }>) =>
    db
      .selectFrom('domains')
      .select('id')
      .where('domain', '>', parameter('first') as never)
      .where('domain', '<', parameter('beyond') as never),
  );
  const findCovered = (optOut: Domain): { id: number }[] => {
    const { bare, withWww, port } = optOutScopeOf(optOut);
    if (port !== null) return findNames.all({ bareName: `${bare}:${port}`, wwwName: `${withWww}:${port}` });
    const hosts = [...new Set([bare, withWww])];
    const withPorts = hosts.flatMap((host) => findWithPort.all({ first: `${host}:`, beyond: `${host};` }));
    return [...findNames.all({ bareName: bare, wwwName: withWww }), ...withPorts];
  };
  const visits = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('visits')
      .select(['facts_id', ...documentColumns])
      .where('domain_id', '=', parameter('id')),
  );
  const facts = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('facts').select('facts_id').where('domain_id', '=', parameter('id')),
  );
  const latestDocuments = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('latest_documents').select(documentColumns).where('domain_id', '=', parameter('id')),
  );
  // Deletes the rows of other tables too (`on delete cascade`).
  const drop = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.deleteFrom('domains').where('id', '=', parameter('id')),
  );
  const orphans = createOrphanRemover(sqlite, db);
  const remove = (id: number): void => {
    const rows = visits.all({ id });
    const factSets = [...rows, ...facts.all({ id })].map((row) => row.facts_id);
    const documents = [...documentIdsOf(rows), ...documentIdsOf(latestDocuments.all({ id }))];
    drop.run({ id });
    orphans.removeFactSets(factSets);
    orphans.removeDocuments(documents);
  };
  return { findCovered, remove };
}
