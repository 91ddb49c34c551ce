import { sql } from 'kysely';
import { DAY_MS } from '../../model/time.ts';
import { isNotInProgress } from '../domains/pick-domains.ts';
import { Orphans } from '../opt-outs/remove-orphans.ts';
import { Rows } from '../sqlite/database.ts';
import type { QueryParameter } from '../sqlite/prepare.ts';
import { documentColumns, documentIdsOf } from '../visits/documents.ts';

/** `last_listed` of a dead domain is updated at this interval, not with every run of a source. */
export const LAST_LISTED_RESOLUTION_MS = 10 * DAY_MS;

/** Ids above `from`, up to `to`; of these rows, or of rows that belong to them, those from before `before` (epoch milliseconds). */
export interface Range {
  from: number;
  to: number;
  before: number;
}

const inRange = (parameter: QueryParameter<Range>) =>
  sql<boolean>`id > ${parameter('from')} and id <= ${parameter('to')} and at < ${parameter('before')}`;

// Only visits that precede another visit that is too old, so that each domain keeps the last of these.
const outdated = (parameter: QueryParameter<Range>) => sql<boolean>`id in (
  select earlier.id from visits as old cross join visits as earlier
  where old.id > ${parameter('from')} and old.id <= ${parameter('to')} and old.at < ${parameter('before')}
    and earlier.domain_id = old.domain_id and earlier.at <= old.at and earlier.id < old.id
)`;

/** Deletes old rows. Each method runs inside the caller's transaction and returns the numbers of deleted rows. */
export class Thinning extends Rows {
  readonly #orphans = new Orphans(this.database);
  readonly #clearSteps = this.database.prepare((db, parameter: QueryParameter<Range>) =>
    db
      .deleteFrom('visit_steps')
      .where('visit_id', 'in', (row) => row.selectFrom('visits').select('id').where(inRange(parameter))),
  );
  readonly #findDocumented = this.database.prepare((db, parameter: QueryParameter<Range>) =>
    db
      .selectFrom('visits')
      .select(['id', ...documentColumns])
      .where(inRange(parameter))
      .where((row) => row.or(documentColumns.map((column) => row(column, 'is not', null)))),
  );
  readonly #clearDocuments = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
    db
      .updateTable('visits')
      .set({ config_document: null, discovery_document: null, nodeinfo_document: null })
      .where('id', '=', parameter('id')),
  );
  readonly #deleteVisits = this.database.prepare((db, parameter: QueryParameter<Range>) =>
    db
      .deleteFrom('visits')
      .where(outdated(parameter))
      .where(
        sql<boolean>`not exists (
          select 1 from latest_documents where latest_documents.domain_id = visits.domain_id and visit_id = visits.id
        )`,
      )
      .returning(['id', ...documentColumns, 'facts_id']),
  );
  readonly #thinUsage = this.database.prepare((db, parameter: QueryParameter<Range>) => {
    const before = parameter('before');
    return db
      .deleteFrom('usage')
      .where('domain_id', '>', parameter('from'))
      .where('domain_id', '<=', parameter('to'))
      .where('at', '<', before)
      .where(sql<boolean>`exists (
        select 1 from usage as later
        where later.domain_id = usage.domain_id
          and (later.at, later.visit_id) > (usage.at, usage.visit_id)
          and later.at < usage.at - usage.at % ${sql.lit(DAY_MS)} + ${sql.lit(DAY_MS)}
      )`);
  });
  readonly #thinRuns = this.database.prepare((db, parameter: QueryParameter<Range>) =>
    db
      .deleteFrom('source_runs')
      .where('id', '>', parameter('from'))
      .where('id', '<=', parameter('to'))
      .where('begun_at', '<', parameter('before'))
      .where('outcome', 'is not', null)
      .where(
        sql<boolean>`exists (
          select 1 from source_runs as later
          where later.source_id = source_runs.source_id and later.id > source_runs.id and later.begun_at < ${parameter('before')}
            and case source_runs.outcome
              when 'complete' then later.outcome = 'complete'
              when 'unchanged' then later.outcome in ('complete', 'unchanged')
              else later.outcome is not null
            end
        )`,
      ),
  );
  readonly #dropNeverSeen = this.database.prepare((db, parameter: QueryParameter<Range>) => {
    const listedAt = sql<number>`max(domains.state_since, ifnull(domains.last_listed, 0))`;
    return db
      .deleteFrom('domains')
      .where('id', '>', parameter('from'))
      .where('id', '<=', parameter('to'))
      .where('state', '=', sql.lit('dead' as const))
      .where('reason', '=', sql.lit('dns-nxdomain' as const))
      .where('was_ever_loops', '=', sql.lit(0))
      .where('identified_as', 'is', null)
      .where('last_seen', 'is', null)
      .where('discovered_by_source_id', 'is not', null)
      .where(isNotInProgress)
      .where(listedAt, '<', parameter('before'))
      .where(
        sql<boolean>`not exists (
          select 1 from domain_sources where domain_id = domains.id and not exists (
            select 1 from source_runs
            where source_runs.source_id = domain_sources.source_id and outcome in ('complete', 'partial')
              and begun_at > ${listedAt} + ${sql.lit(LAST_LISTED_RESOLUTION_MS)}
          )
        )`,
      );
  });

  /** `from` and `to` are ids of visits. */
  clearSteps(range: Range) {
    return { steps: this.#clearSteps.run(range) };
  }

  /** `from` and `to` are ids of visits. */
  clearDocuments(range: Range) {
    const rows = this.#findDocumented.all(range);
    for (const { id } of rows) this.#clearDocuments.run({ id });
    return { documents: this.#orphans.removeDocuments(documentIdsOf(rows)) };
  }

  /**
   * Deletes, for each domain with a visit in the range, the visits before that visit. Keeps the last visit that is too
   * old, because it has the state of the domain at the beginning of the retained log, and the visit with the latest documents, which `replay`
   * reads.
   */
  deleteVisits(range: Range) {
    const rows = this.#deleteVisits.all(range);
    const documents = this.#orphans.removeDocuments(documentIdsOf(rows));
    const factSets = this.#orphans.removeFactSets(rows.map((row) => row.facts_id));
    return { visits: rows.length, documents, factSets };
  }

  /** Deletes all but the last usage counts of each full day (UTC). `from` and `to` are ids of domains. */
  thinUsage({ before, ...domains }: Range) {
    return { usage: this.#thinUsage.run({ ...domains, before: before - (before % DAY_MS) }) };
  }

  /**
   * Deletes old runs of sources. Of the old runs of each source, keeps the last, the last successful and the last complete one, which have
   * the state of the source at the beginning of the retained log. `from` and `to` are ids of runs.
   */
  thinRuns(range: Range) {
    this.#thinRuns.run(range);
    return {};
  }

  /**
   * Deletes dead domains that sources discovered, that never answered, whose name does not exist (NXDOMAIN), and that no source has listed
   * since `before`. Every source that listed such a domain must have been read, at least in part, since the domain was last listed: an
   * unchanged or inactive source does not show whether it still lists the domain. `from` and `to` are ids of domains.
   */
  dropNeverSeen({ before, ...domains }: Range) {
    return { domains: this.#dropNeverSeen.run({ ...domains, before: before - LAST_LISTED_RESOLUTION_MS }) };
  }

  /** Deletes stored documents to which no visit refers. */
  dropOrphanDocuments({ from, to }: Range) {
    return { documents: this.#orphans.removeDocuments(idsOf(from, to)) };
  }

  /** Deletes fact sets to which no visit or instance refers. */
  dropOrphanFacts({ from, to }: Range) {
    return { factSets: this.#orphans.removeFactSets(idsOf(from, to)) };
  }
}

function idsOf(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + 1 + index);
}
