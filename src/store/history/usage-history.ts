import { sql } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { DailyUsage, UsageSample } from '../../model/facts/usage-sample.ts';
import { type Month, monthAfter, monthsBetween, startOf } from '../../model/month.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import { everLoops } from '../domains/listed.ts';
import { Rows } from '../sqlite/database.ts';
import type { Compiler, QueryParameter } from '../sqlite/prepare.ts';
import { idOf } from '../visits/domain-row.ts';
import { selectedCounts } from '../visits/usage.ts';
import { missingCounts } from './missing.ts';
import { END, type HistoryPage, isBefore, type PageOfDomain } from './pages.ts';

/** From `from` up to, but not including, `before`. */
type Period = { from: EpochMs; before: EpochMs };

const selectUsage = (db: Compiler) => db.selectFrom('usage').select(['at', ...selectedCounts]);

/** The usage counts that visits read. */
export class UsageHistory extends Rows {
  readonly #of = this.database.prepare((db, parameter: QueryParameter<{ domain: Domain }>) =>
    selectUsage(db).where('domain_id', '=', idOf(db, parameter)).orderBy('at', 'desc').orderBy('visit_id', 'desc'),
  );
  readonly #pageOf = this.database.prepare((db, parameter: QueryParameter<PageOfDomain>) =>
    selectUsage(db)
      .select('visit_id as id')
      .where('domain_id', '=', idOf(db, parameter))
      .where(isBefore('at', 'visit_id', parameter))
      .orderBy('at', 'desc')
      .orderBy('visit_id', 'desc')
      .limit(parameter('limit')),
  );
  readonly #ofInstance = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    selectUsage(db).where('domain_id', '=', parameter('id')).orderBy('at').orderBy('visit_id'),
  );
  readonly #lastIn = this.database.prepare((db, parameter: QueryParameter<{ id: number } & Period>) =>
    selectUsage(db)
      .where('domain_id', '=', parameter('id'))
      .where('at', '>=', parameter('from'))
      .where('at', '<', parameter('before'))
      .orderBy('at', 'desc')
      .orderBy('visit_id', 'desc')
      .limit(1),
  );
  /**
   * The rows of a domain come in the order of the primary key: time, then visit. With these columns in ORDER BY, SQLite would scan the
   * index of all domains.
   */
  readonly #ofMonth = this.database.prepare((db, parameter: QueryParameter<Period>) =>
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
      ),
  );
  readonly #instances = this.database.prepare((db) => everLoops(db).select('domains.id'));
  readonly #endsOf = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('usage')
      .select((row) => [row.fn.min<number | null>('at').as('first'), row.fn.max<number | null>('at').as('last')])
      .where('domain_id', '=', parameter('id')),
  );

  /** The counts of a domain, newest first. */
  of(domain: Domain): IterableIterator<UsageSample> {
    return this.database.stream(this.#of.iterate({ domain }));
  }

  /** A page of {@link of}; `id` is the visit's. */
  pageOf(domain: Domain, { before, limit }: HistoryPage): (UsageSample & { readonly id: number })[] {
    return this.database.read(() => this.#pageOf.all({ domain, ...(before ?? END), limit }));
  }

  /** The last counts of each day of the domain with this id, oldest first. */
  ofInstance(id: number): Iterable<UsageSample> {
    return lastOfEachDay(this.database.read(() => this.#ofInstance.all({ id })));
  }

  /** The last counts in a period of the domain with this id. */
  lastIn(id: number, period: Period): UsageSample | null {
    return this.database.read(() => this.#lastIn.get({ id, ...period }) ?? null);
  }

  /** All months from the first stored counts to the last. */
  months(): Month[] {
    return this.database.read(() => {
      const range: { first: number | null; last: number | null } = { first: null, last: null };
      for (const { id } of this.#instances.iterate({})) {
        const { first = null, last = null } = this.#endsOf.get({ id }) ?? {};
        if (first === null || last === null) continue;
        range.first = Math.min(range.first ?? first, first);
        range.last = Math.max(range.last ?? last, last);
      }
      return monthsBetween(range.first, range.last);
    });
  }

  /** The last counts of each published domain on each day of a month, in the order of domains, then by time. */
  ofMonth(month: Month): Iterable<DailyUsage> {
    const period = { from: startOf(month), before: startOf(monthAfter(month)) };
    const samples = lastOfEachDay(this.database.stream(this.#ofMonth.iterate(period)));
    return Iterator.from(samples).map(({ notes, ...sample }) => ({ ...sample, missing: missingCounts(sample, notes) }));
  }
}

/**
 * Yields the last sample of each day (UTC) and domain, given samples in order of domain and time. Compaction (`retention.usageDays`) keeps
 * the same ones.
 */
function* lastOfEachDay<Sample extends { at: EpochMs; domain?: Domain }>(
  samples: Iterable<Sample>,
): IterableIterator<Sample> {
  const dayOf = ({ at }: Sample) => Math.floor(at / DAY_MS);
  let last: Sample | null = null;
  for (const sample of samples) {
    if (last !== null && (last.domain !== sample.domain || dayOf(last) !== dayOf(sample))) yield last;
    last = sample;
  }
  if (last !== null) yield last;
}
