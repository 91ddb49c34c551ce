import { inflateSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Domain } from '../domain/domain.ts';
import type { Compiler } from './compiler.ts';
import { createIteration } from './iteration.ts';
import { createLastVisitIdReader } from './last-visit-id.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Reading } from './reading.ts';
import type { Sqlite } from './sqlite.ts';
import type { StoreReader } from './store-reader.ts';
import { selectVisits, toStoredVisit } from './visit-row.ts';

type Nothing = Record<never, never>;
type Ids = NonNullable<Parameters<StoreReader['documentedVisits']>[0]>;

export type VisitReader = Pick<
  StoreReader,
  'visitsOf' | 'documentedVisits' | 'completedVisits' | 'lastVisitId' | 'document'
>;

export function createVisitReader(sqlite: Sqlite, db: Compiler, { once, each }: Reading): VisitReader {
  const count = prepare(sqlite, (_value: Placeholder<Nothing>) =>
    db.selectFrom('visits').select((row) => row.fn.countAll<number>().as('count')),
  );
  const lastVisitId = createLastVisitIdReader(sqlite);
  const document = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db.selectFrom('documents').selectAll().where('id', '=', value('id')),
  );
  const ofDomain = createIteration(() =>
    prepare(sqlite, (value: Placeholder<{ domain: Domain }>) =>
      selectVisits(db)
        .where('visits.domain_id', '=', (row) =>
          row.selectFrom('domains').select('id').where('domain', '=', value('domain')),
        )
        .orderBy('visits.at', 'desc')
        .orderBy('visits.id', 'desc'),
    ),
  );
  const documented = createIteration(() => prepare(sqlite, (value: Placeholder<Ids>) => selectDocumented(db, value)));

  return {
    visitsOf: (domain) =>
      each(
        () => ofDomain({ domain }),
        (row) => toStoredVisit(row, domain),
      ),
    documentedVisits: (ids = { after: 0, upTo: Number.MAX_SAFE_INTEGER }) =>
      each(
        () => documented(ids),
        (row) => ({ visit: toStoredVisit(row, row.domain), isLatest: row.is_latest === 1 }),
      ),
    completedVisits: () => once(() => count.get({})?.count ?? 0),
    lastVisitId: () => once(lastVisitId),
    document: (id) =>
      once(() => {
        const row = document.get({ id });
        if (row === undefined) return null;
        const body = row.deflated === 1 ? inflateSync(row.body, { maxOutputLength: row.bytes }) : row.body;
        return { sha256: Buffer.from(row.sha256).toString('hex'), body: new Uint8Array(body) };
      }),
  };
}

/**
 * Visits with documents, in the order of recording. What is kept of a domain rests on the last visit that had any, unless a
 * later one without any was conclusive (a redirect is).
 */
const selectDocumented = (db: Compiler, value: Placeholder<Ids>) =>
  selectVisits(db)
    .innerJoin('domains', 'domains.id', 'visits.domain_id')
    .select([
      'domains.domain',
      sql<0 | 1>`latest_documents.visit_id is not null and not exists (
        select 1 from visits as later
        where later.domain_id = visits.domain_id and later.id > visits.id
          and later.verdict in ('loops', 'other', 'alias')
      )`.as('is_latest'),
    ])
    .where('visits.id', '>', value('after'))
    .where('visits.id', '<=', value('upTo'))
    .where('domains.state', '<>', sql.lit('opted-out' as const))
    .where(
      sql<boolean>`coalesce(
        latest_documents.visit_id, visits.config_document, visits.discovery_document, visits.nodeinfo_document
      ) is not null`,
    )
    .orderBy('visits.id');
