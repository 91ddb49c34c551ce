import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { hideInChange, type IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import { changeColumns, toChange } from '../history/changes.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { StoreReader } from '../store-reader.ts';
import { domainColumns, toDomainRecord } from '../visits/domain-row.ts';
import { selectedCounts } from '../visits/usage.ts';
import { published } from './listed.ts';

export type PageReader = Pick<
  StoreReader,
  | 'domainsStartingWith'
  | 'changesPage'
  | 'domainChangesPage'
  | 'domainUsagePage'
  | 'domainGroups'
  | 'lastDomainId'
  | 'dataVersion'
>;

type Nothing = Record<never, never>;
type Page = { from: number; limit: number };
type DomainPage = { domain: Domain; at: number; id: number; limit: number };
type Prefix = { prefix: string; end: string; limit: number };
type Ids = { after: number; upTo: number };

const idOf = (db: Compiler, parameter: QueryParameter<DomainPage>) =>
  db.selectFrom('domains').select('id').where('domain', '=', parameter('domain'));

const before = (at: string, id: string, parameter: QueryParameter<DomainPage>) =>
  sql<boolean>`(${sql.ref(at)}, ${sql.ref(id)}) < (${parameter('at')}, ${parameter('id')})`;

const numberedColumns = [...changeColumns, 'changes.id', 'changes.visit_id'] as const;

/** A page of all changes in the order of recording, newest or oldest first. */
export const selectChanges = (db: Compiler, parameter: QueryParameter<Page>, order: 'newest' | 'oldest') =>
  db
    .selectFrom('changes')
    .innerJoin('domains', 'domains.id', 'changes.domain_id')
    .select(numberedColumns)
    .select(['domains.domain', published.as('is_published')])
    .where('changes.id', order === 'newest' ? '<' : '>', parameter('from'))
    .orderBy('changes.id', order === 'newest' ? 'desc' : 'asc')
    .limit(parameter('limit'));

/** A page of the changes of a domain, newest first. */
export const selectChangesOf = (db: Compiler, parameter: QueryParameter<DomainPage>) =>
  db
    .selectFrom('changes')
    .select(numberedColumns)
    .where('domain_id', '=', idOf(db, parameter))
    .where(before('at', 'id', parameter))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(parameter('limit'));

/** A page of the counts of a domain, newest first. */
export const selectUsageOf = (db: Compiler, parameter: QueryParameter<DomainPage>) =>
  db
    .selectFrom('usage')
    .select(['at', 'visit_id as id', ...selectedCounts])
    .where('domain_id', '=', idOf(db, parameter))
    .where(before('at', 'visit_id', parameter))
    .orderBy('at', 'desc')
    .orderBy('visit_id', 'desc')
    .limit(parameter('limit'));

/** Published domains that begin with a text, in order. */
export const selectDomainsStartingWith = (db: Compiler, parameter: QueryParameter<Prefix>) =>
  db
    .selectFrom('domains')
    .select(domainColumns)
    .where('domain', '>=', sql<Domain>`${parameter('prefix')}`)
    .where('domain', '<', sql<Domain>`${parameter('end')}`)
    .where(published)
    .orderBy('domain')
    .limit(parameter('limit'));

/** Counts the published domains in a range of ids by state, verdict, reason and software. */
export const selectGroups = (db: Compiler, parameter: QueryParameter<Ids>) =>
  db
    .selectFrom('domains')
    .select(['state', 'verdict', 'reason', 'software', (row) => row.fn.countAll<number>().as('count')])
    .where('id', '>', parameter('after'))
    .where('id', '<=', parameter('upTo'))
    .where(published)
    .groupBy(['state', 'verdict', 'reason', 'software']);

export function createPageReader(
  sqlite: Sqlite,
  db: Compiler,
  { scope: { read }, isHidden }: { scope: ReadScope; isHidden: IsHidden },
): PageReader {
  const changes = {
    newest: prepare(sqlite, (parameter: QueryParameter<Page>) => selectChanges(db, parameter, 'newest')),
    oldest: prepare(sqlite, (parameter: QueryParameter<Page>) => selectChanges(db, parameter, 'oldest')),
  };
  const changesOf = prepare(sqlite, (parameter: QueryParameter<DomainPage>) => selectChangesOf(db, parameter));
  const usageOf = prepare(sqlite, (parameter: QueryParameter<DomainPage>) => selectUsageOf(db, parameter));
  const domainsStartingWith = prepare(sqlite, (parameter: QueryParameter<Prefix>) =>
    selectDomainsStartingWith(db, parameter),
  );
  const groups = prepare(sqlite, (parameter: QueryParameter<Ids>) => selectGroups(db, parameter));
  const toPublicChange = (row: Parameters<typeof toChange>[0]) => hideInChange(toChange(row), isHidden);
  const lastDomain = prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
    db.selectFrom('domains').select((row) => row.fn.max<number | null>('id').as('id')),
  );

  return {
    domainsStartingWith: (prefix, limit) =>
      // U+10FFFF is the last character, so the end sorts after every name with the prefix.
      read(() => domainsStartingWith.all({ prefix, end: `${prefix}\u{10ffff}`, limit }).map(toDomainRecord)),
    changesPage: ({ order, from, limit }) =>
      read(() => {
        const start = from ?? (order === 'newest' ? Number.MAX_SAFE_INTEGER : 0);
        return changes[order].all({ from: start, limit }).map((row) => ({
          domain: row.domain,
          ...toPublicChange(row),
          visitId: row.visit_id,
          id: row.id,
          isPublished: Boolean(row.is_published),
        }));
      }),
    domainChangesPage: (domain, { before: lastEntry, limit }) =>
      read(() =>
        changesOf
          .all({ domain, ...(lastEntry ?? END), limit })
          .map((row) => ({ domain, ...toPublicChange(row), visitId: row.visit_id, id: row.id, isPublished: true })),
      ),
    domainUsagePage: (domain, { before: lastEntry, limit }) =>
      read(() => usageOf.all({ domain, ...(lastEntry ?? END), limit })),
    domainGroups: (after, upTo) => read(() => groups.all({ after, upTo })),
    lastDomainId: () => read(() => lastDomain.get({})?.id ?? 0),
    dataVersion: () => read(() => Number(sqlite.pragma('data_version', { simple: true }))),
  };
}

/** The position before the first page: newer than all entries. */
const END = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
