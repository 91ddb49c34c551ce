import { sql } from 'kysely';
import type { Change, ChangeCause, DomainChange, FactChange } from '../../model/change.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { FactValue } from '../../model/facts/fact-value.ts';
import { hideInChange, type IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { EpochMs } from '../../model/time.ts';
import { published } from '../domains/listed.ts';
import { type Database, Rows } from '../sqlite/database.ts';
import { type Compiler, type QueryParameter, queryParameters, selectLastId } from '../sqlite/prepare.ts';
import { idOf } from '../visits/domain-row.ts';
import { whyChangedToNull } from './missing.ts';
import { END, type HistoryPage, isBefore, type PageOfDomain } from './pages.ts';

/** The domain, visit and cause of changes. */
interface ChangeOrigin {
  domainId: number;
  at: EpochMs;
  cause: ChangeCause;
  visitId: number | null;
}

type NewChange = ChangeOrigin & Pick<FactChange, 'field' | 'why'> & { from: string | null; to: string | null };

/** Records changes. */
export class ChangeLog extends Rows {
  readonly #insert = this.database.prepare((db, parameter: QueryParameter<NewChange>) =>
    db.insertInto('changes').values({
      ...queryParameters(parameter, ['at', 'field', 'why', 'cause']),
      domain_id: parameter('domainId'),
      visit_id: parameter('visitId'),
      from_value: parameter('from'),
      to_value: parameter('to'),
    }),
  );

  /** Records changes of one domain. Runs inside the caller's transaction. */
  add(changes: readonly FactChange[], origin: ChangeOrigin): void {
    for (const { field, from, to, why } of changes)
      this.#insert.run({ ...origin, field, why, from: toFactColumn(from), to: toFactColumn(to) });
  }
}

/** Converts a value for a column of `changes`. */
function toFactColumn(value: FactValue): string | null {
  return value === null ? null : JSON.stringify(value);
}

function toFactValue(json: string | null): FactValue {
  return json === null ? null : FactValue.parse(JSON.parse(json));
}

/** A change with the visit that found it: null when no visit did. An old visit may have been deleted. */
export interface StoredChange extends Change {
  readonly domain: Domain;
  readonly visitId: number | null;
}

export interface NumberedChange extends StoredChange {
  /** Ascending in the order of recording. */
  readonly id: number;
  /** False when the domain asks not to be published. */
  readonly isPublished: boolean;
}

/** The fields of a Change, with its values as JSON. */
const changeFields = [
  'changes.at',
  'changes.field',
  'changes.from_value as from',
  'changes.to_value as to',
  'changes.why',
  'changes.cause',
] as const;
const numberedFields = [...changeFields, 'changes.visit_id as visitId', 'changes.id'] as const;

function toChange<Row extends { from: string | null; to: string | null }>(row: Row) {
  return { ...row, from: toFactValue(row.from), to: toFactValue(row.to) };
}

/** A page of all changes in the order of recording, newest or oldest first. */
const selectPage = (
  db: Compiler,
  parameter: QueryParameter<{ from: number; limit: number }>,
  order: 'newest' | 'oldest',
) =>
  db
    .selectFrom('changes')
    .innerJoin('domains', 'domains.id', 'changes.domain_id')
    .select(['domains.domain', ...numberedFields, published.as('isPublished')])
    .where('changes.id', order === 'newest' ? '<' : '>', parameter('from'))
    .orderBy('changes.id', order === 'newest' ? 'desc' : 'asc')
    .limit(parameter('limit'));

/** The changes of facts. Values that name a hidden domain are null on its pages. */
export class Changes extends Rows {
  readonly #isHidden: IsHidden;
  readonly #of = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    db
      .selectFrom('changes')
      .select([...changeFields, 'visit_id as visitId'])
      .where('domain_id', '=', idOf(db, parameter))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc'),
  );
  readonly #ofInstance = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('changes').select(changeFields).where('domain_id', '=', parameter('id')).orderBy('at').orderBy('id'),
  );
  readonly #page = {
    newest: this.database.prepare((db, parameter: QueryParameter<{ from: number; limit: number }>) =>
      selectPage(db, parameter, 'newest'),
    ),
    oldest: this.database.prepare((db, parameter: QueryParameter<{ from: number; limit: number }>) =>
      selectPage(db, parameter, 'oldest'),
    ),
  };
  readonly #pageOf = this.database.prepare((db, parameter: QueryParameter<PageOfDomain>) =>
    db
      .selectFrom('changes')
      .select(numberedFields)
      .where('domain_id', '=', idOf(db, parameter))
      .where(isBefore('at', 'id', parameter))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(parameter('limit')),
  );
  readonly #last = this.database.prepare((db) => selectLastId(db, 'changes'));
  /** The cross join forces SQLite to scan `domains` second. */
  readonly #published = this.database.prepare((db) =>
    db
      .selectFrom('changes')
      .crossJoin('domains')
      .whereRef('domains.id', '=', 'changes.domain_id')
      .where(published)
      .select(['domains.domain', ...changeFields])
      // What the visit read, of the few changes to null.
      .select(
        sql<string | null>`case when changes.to_value is null and cause = 'visit' then (
          select json_object('via', via, 'verdict', verdict, 'facts', json(fact_sets.facts))
          from visits left join fact_sets on fact_sets.id = visits.facts_id where visits.id = changes.visit_id
        ) end`.as('read'),
      )
      .orderBy('changes.id'),
  );

  constructor(database: Database, isHidden: IsHidden) {
    super(database);
    this.#isHidden = isHidden;
  }

  /** The changes of a domain, newest first. */
  of(domain: Domain): IterableIterator<StoredChange> {
    return this.database.stream(this.#of.iterate({ domain }), (row) => ({ domain, ...toChange(row) }));
  }

  /** The changes of the domain with this id, oldest first. */
  ofInstance(id: number): Change[] {
    return this.database.read(() => this.#ofInstance.all({ id }).map(toChange));
  }

  /** A page in the order of recording; `from` is the id of the last change of the previous page, null for the first page. */
  page({ order, from, limit }: { order: 'newest' | 'oldest'; from: number | null; limit: number }): NumberedChange[] {
    const start = from ?? (order === 'newest' ? Number.MAX_SAFE_INTEGER : 0);
    return this.database.read(() =>
      this.#page[order]
        .all({ from: start, limit })
        .map((row) => hideInChange({ ...toChange(row), isPublished: Boolean(row.isPublished) }, this.#isHidden)),
    );
  }

  /** A page of {@link of}. */
  pageOf(domain: Domain, { before, limit }: HistoryPage): NumberedChange[] {
    return this.database.read(() =>
      this.#pageOf
        .all({ domain, ...(before ?? END), limit })
        .map((row) => hideInChange({ domain, ...toChange(row), isPublished: true }, this.#isHidden)),
    );
  }

  /** The id of the last recorded change; 0 when there is none. Some changes belong to no visit. */
  lastId(): number {
    return this.database.read(() => this.#last.get({})?.id ?? 0);
  }

  /** Every change of the published domains, in the order of recording. */
  published(): Iterable<DomainChange> {
    return this.database.stream(this.#published.iterate({}), ({ read, ...row }) => {
      const change = toChange(row);
      return { ...change, missing: whyChangedToNull(change, read) };
    });
  }
}
