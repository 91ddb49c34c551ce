import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import { published } from '../read/listed.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { qualifiedDomainColumns } from '../visits/domain-row.ts';
import { factsColumns } from '../visits/facts-row.ts';
import { selectedCounts } from '../visits/usage.ts';
import { outcomeColumns } from '../visits/visit-row.ts';
import { changeColumns } from './changes.ts';

type OfDomain = { id: number };
type OfName = { domain: Domain };
/** From `from` up to, but not including, `before`. */
type Period = { from: number; before: number };
/** Visits with ids above `after` up to `upTo` that began from `from` up to, but not including, `before`. */
type VisitRange = { after: number; upTo: number; from: number; before: number };
type Page = { from: number; limit: number };
type DomainPage = OfName & { at: number; id: number; limit: number };

const idOf = (db: Compiler, parameter: QueryParameter<OfName>) =>
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
    .where('domain_id', '=', idOf(db, parameter as QueryParameter<OfName>))
    .where(before('at', 'id', parameter))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(parameter('limit'));

/** A page of the counts of a domain, newest first. */
export const selectUsageOf = (db: Compiler, parameter: QueryParameter<DomainPage>) =>
  db
    .selectFrom('usage')
    .select(['at', 'visit_id as id', ...selectedCounts])
    .where('domain_id', '=', idOf(db, parameter as QueryParameter<OfName>))
    .where(before('at', 'visit_id', parameter))
    .orderBy('at', 'desc')
    .orderBy('visit_id', 'desc')
    .limit(parameter('limit'));

/** The changes of a domain, newest first. */
export const selectAllChangesOf = (db: Compiler, parameter: QueryParameter<OfName>) =>
  db
    .selectFrom('changes')
    .select([...changeColumns, 'visit_id'])
    .where('domain_id', '=', idOf(db, parameter))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc');

/** The counts of a domain, newest first. */
export const selectAllUsageOf = (db: Compiler, parameter: QueryParameter<OfName>) =>
  db
    .selectFrom('usage')
    .select(['at', ...selectedCounts])
    .where('domain_id', '=', idOf(db, parameter))
    .orderBy('at', 'desc')
    .orderBy('visit_id', 'desc');

/** The changes of published domains in the order of recording. Its cross join, as the next one, forces SQLite to scan `domains` second. */
export const selectPublishedChanges = (db: Compiler) =>
  db
    .selectFrom('changes')
    .crossJoin('domains')
    .whereRef('domains.id', '=', 'changes.domain_id')
    .where(published)
    .select(['domains.domain', ...changeColumns])
    // What the visit read, of the few changes to null.
    .select(
      sql<string | null>`case when changes.to_value is null and cause = 'visit' then (
        select json_object('via', via, 'verdict', verdict, 'facts', json(fact_sets.facts))
        from visits left join fact_sets on fact_sets.id = visits.facts_id where visits.id = changes.visit_id
      ) end`.as('read'),
    )
    .orderBy('changes.id');

export const selectVisitOutcomes = (db: Compiler, parameter: QueryParameter<VisitRange>) =>
  db
    .selectFrom('visits')
    .crossJoin('domains')
    .leftJoin('fact_sets', 'fact_sets.id', 'visits.facts_id')
    .whereRef('domains.id', '=', 'visits.domain_id')
    .where('visits.id', '>', parameter('after'))
    .where('visits.id', '<=', parameter('upTo'))
    .where('visits.at', '>=', parameter('from'))
    .where('visits.at', '<', parameter('before'))
    .where(published)
    .select([
      'visits.id',
      'domains.domain',
      ...outcomeColumns,
      'visits.state',
      sql<string | null>`json_extract(fact_sets.facts, '$.flags')`.as('flags'),
    ])
    .orderBy('visits.id');

/** The published domains that were ever Loops, in the order of the index `domains_ever_loops`. */
const everLoops = (db: Compiler) =>
  db
    .selectFrom('domains')
    .crossJoin('facts')
    .where('was_ever_loops', '=', sql.lit(1))
    .whereRef('facts.domain_id', '=', 'domains.id')
    .where(published)
    .orderBy('domains.domain');

export const selectNamesOfEverLoops = (db: Compiler) => everLoops(db).select(['domains.id', 'domains.domain']);

export const selectEverLoops = (db: Compiler) =>
  everLoops(db)
    .crossJoin('fact_sets')
    .whereRef('fact_sets.id', '=', 'facts.facts_id')
    .select(['domains.id', ...qualifiedDomainColumns])
    .select(factsColumns);

export const selectChangesForward = (db: Compiler, parameter: QueryParameter<OfDomain>) =>
  db.selectFrom('changes').select(changeColumns).where('domain_id', '=', parameter('id')).orderBy('at').orderBy('id');

export const selectUsageForward = (db: Compiler, parameter: QueryParameter<OfDomain>) =>
  db
    .selectFrom('usage')
    .select(['at', ...selectedCounts])
    .where('domain_id', '=', parameter('id'))
    .orderBy('at')
    .orderBy('visit_id');

/** The last counts that a domain reported in a period. */
export const selectLastUsage = (db: Compiler, parameter: QueryParameter<OfDomain & Period>) =>
  selectUsageForward(db, parameter)
    .clearOrderBy()
    .where('at', '>=', parameter('from'))
    .where('at', '<', parameter('before'))
    .orderBy('at', 'desc')
    .orderBy('visit_id', 'desc')
    .limit(1);

/**
 * The rows of a domain come in the order of the primary key: time, then visit. With these columns in ORDER BY, SQLite would scan the index
 * of all domains.
 */
export const selectUsageOfAll = (db: Compiler, parameter: QueryParameter<Period>) =>
  everLoops(db)
    .crossJoin('usage')
    .whereRef('usage.domain_id', '=', 'domains.id')
    .where('usage.at', '>=', parameter('from'))
    .where('usage.at', '<', parameter('before'))
    .select(['domains.domain', 'usage.at', ...selectedCounts])
    // The unreadable fields of the visit, if a count is missing.
    .select(
      sql<
        string | null
      >`case when users is null or active_month is null or active_halfyear is null or posts is null then (
        select ifnull(json_extract(fact_sets.facts, '$.notes'), '[]')
        from visits join fact_sets on fact_sets.id = visits.facts_id where visits.id = usage.visit_id
      ) end`.as('notes'),
    );

export const selectEndsOfUsage = (db: Compiler, parameter: QueryParameter<OfDomain>) =>
  db
    .selectFrom('usage')
    .select((row) => [row.fn.min<number | null>('at').as('first'), row.fn.max<number | null>('at').as('last')])
    .where('domain_id', '=', parameter('id'));
