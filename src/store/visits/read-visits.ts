import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { createLastVisitIdReader } from '../frontier/last-visit-id.ts';
import { createOfflineReader } from '../frontier/offline.ts';
import { type Compiler, createIteration, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';
import { bodyOf } from './documents.ts';
import { selectVisits, toStoredVisit } from './visit-row.ts';

export type VisitReader = Pick<
  StoreReader,
  'visitsOf' | 'nextDomainWithDocuments' | 'visitsWithDocuments' | 'lastVisitId' | 'document'
>;

export function createVisitReader(sqlite: Sqlite, db: Compiler, { read, stream }: ReadScope): VisitReader {
  const lastVisitId = createLastVisitIdReader(sqlite);
  const document = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('documents').selectAll().where('id', '=', parameter('id')),
  );
  const iterateVisits = createIteration(() =>
    prepare(sqlite, (parameter: QueryParameter<{ domain: Domain }>) =>
      selectVisits(db)
        .where('visits.domain_id', '=', (row) =>
          row.selectFrom('domains').select('id').where('domain', '=', parameter('domain')),
        )
        .orderBy('visits.at', 'desc')
        .orderBy('visits.id', 'desc'),
    ),
  );
  const nextDomainWithDocuments = prepare(sqlite, (parameter: QueryParameter<{ after: number }>) =>
    selectNextDocumented(db, parameter),
  );
  const visitsWithDocuments = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    selectVisitsWithDocuments(db, parameter),
  );

  return {
    visitsOf: (domain) =>
      stream(
        () => iterateVisits({ domain }),
        (row) => toStoredVisit(row, domain),
      ),
    nextDomainWithDocuments: (after) => read(() => nextDomainWithDocuments.get({ after }) ?? null),
    visitsWithDocuments: ({ id, domain }) =>
      read(() => visitsWithDocuments.all({ id }).map((row) => toStoredVisit(row, domain))),
    lastVisitId: () => read(lastVisitId),
    document: (id) =>
      read(() => {
        const row = document.get({ id });
        if (row === undefined) return null;
        const sha256 = Buffer.from(row.sha256).toString('hex');
        const body = bodyOf(row);
        return body === null || hash('sha256', body) !== sha256 ? null : { sha256, body: new Uint8Array(body) };
      }),
  };
}

const selectNextDocumented = (db: Compiler, parameter: QueryParameter<{ after: number }>) =>
  db
    .selectFrom('latest_documents')
    // A cross join forces SQLite to scan `latest_documents` first.
    .crossJoin('domains')
    .whereRef('domains.id', '=', 'latest_documents.domain_id')
    .where('latest_documents.domain_id', '>', parameter('after'))
    .select(['domains.id', 'domains.domain'])
    .orderBy('latest_documents.domain_id')
    .limit(sql.lit(1));

const selectVisitsWithDocuments = (db: Compiler, parameter: QueryParameter<{ id: number }>) =>
  selectVisits(db)
    .where('visits.domain_id', '=', parameter('id'))
    .where(
      sql<boolean>`coalesce(
        latest_documents.visit_id, visits.config_document, visits.discovery_document, visits.nodeinfo_document
      ) is not null`,
    )
    .orderBy('visits.at')
    .orderBy('visits.id');

type LastVisitReader = Pick<StoreReader, 'lastVisit' | 'offlineSince' | 'visitStartedAt'>;

export function createLastVisitReader(sqlite: Sqlite, db: Compiler, { read }: ReadScope): LastVisitReader {
  const newest = prepare(sqlite, (_parameter: QueryParameter<Record<never, never>>) =>
    db.selectFrom('visits').select(['id', 'at']).orderBy('id', 'desc').limit(1),
  );
  const startOfVisit = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('visits').select('at').where('id', '=', parameter('id')),
  );
  // The largest id in use decreases when its domain is forgotten; the largest id ever assigned never does.
  const lastVisitId = createLastVisitIdReader(sqlite);
  const offlineSince = createOfflineReader(sqlite, db);
  return {
    lastVisit: () =>
      read(() => {
        const row = newest.get({});
        if (row === undefined) return null;
        return { id: lastVisitId(), at: row.at };
      }),
    offlineSince: () => read(offlineSince),
    visitStartedAt: (id) => read(() => startOfVisit.get({ id })?.at ?? null),
  };
}
