import { sql } from 'kysely';
import { createOrphanRemover } from '../opt-outs/remove-orphans.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { documentColumns, documentIdsOf } from '../visits/documents.ts';

const DAY_MS = 86_400_000;

/** Domains with ids above `from`, up to `to`, and their rows from before `before` (epoch milliseconds). */
interface DomainRange {
  from: number;
  to: number;
  before: number;
}

/** Deletes all but the last usage counts of each full day (UTC) before a time. Runs inside the caller's transaction. */
export function createUsageThinner(sqlite: Sqlite, db: Compiler): (range: DomainRange) => { usage: number } {
  const thin = prepare(sqlite, (parameter: QueryParameter<DomainRange>) => {
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
  return (range) => ({ usage: thin.run({ ...range, before: range.before - (range.before % DAY_MS) }) });
}

/** Visits with ids above `from`, up to `to`, that began before `before` (epoch milliseconds). */
export interface VisitRange {
  from: number;
  to: number;
  before: number;
}

/** Deletes parts of old visits. Each method runs inside the caller's transaction and returns the numbers of deleted rows. */
export interface VisitThinner {
  clearSteps(range: VisitRange): { steps: number };
  clearDocuments(range: VisitRange): { documents: number };
  /**
   * Deletes, for each domain with a visit in the range, the visits before that visit. Keeps the last visit that is too
   * old, because it has the state of the domain at the beginning of the retained log, and the visit with the latest documents, which `replay`
   * reads.
   */
  deleteVisits(range: VisitRange): { visits: number; documents: number; factSets: number };
}

export function createVisitThinner(sqlite: Sqlite, db: Compiler): VisitThinner {
  const orphans = createOrphanRemover(sqlite, db);
  const inRange = (parameter: QueryParameter<VisitRange>) =>
    sql<boolean>`id > ${parameter('from')} and id <= ${parameter('to')} and at < ${parameter('before')}`;
  const clearSteps = prepare(sqlite, (parameter: QueryParameter<VisitRange>) =>
    db
      .deleteFrom('visit_steps')
      .where('visit_id', 'in', (row) => row.selectFrom('visits').select('id').where(inRange(parameter))),
  );
  const findDocumented = prepare(sqlite, (parameter: QueryParameter<VisitRange>) =>
    db
      .selectFrom('visits')
      .select(['id', ...documentColumns])
      .where(inRange(parameter))
      .where((row) => row.or(documentColumns.map((column) => row(column, 'is not', null)))),
  );
  const clearDocuments = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db
      .updateTable('visits')
      .set({ config_document: null, discovery_document: null, nodeinfo_document: null })
      .where('id', '=', parameter('id')),
  );
  // Only visits that precede another visit that is too old, so that each domain keeps the last of these.
  const outdated = (parameter: QueryParameter<VisitRange>) => sql<boolean>`id in (
    select earlier.id from visits as old cross join visits as earlier
    where old.id > ${parameter('from')} and old.id <= ${parameter('to')} and old.at < ${parameter('before')}
      and earlier.domain_id = old.domain_id and earlier.at <= old.at and earlier.id < old.id
  )`;
  const deleteVisits = prepare(sqlite, (parameter: QueryParameter<VisitRange>) =>
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
  return {
    clearSteps: (range) => ({ steps: clearSteps.run(range) }),
    clearDocuments(range) {
      const rows = findDocumented.all(range);
      for (const { id } of rows) clearDocuments.run({ id });
      return { documents: orphans.removeDocuments(documentIdsOf(rows)) };
    },
    deleteVisits(range) {
      const rows = deleteVisits.all(range);
      const documents = orphans.removeDocuments(documentIdsOf(rows));
      const factSets = rows.map((row) => row.facts_id);
      return { visits: rows.length, documents, factSets: orphans.removeFactSets(factSets) };
    },
  };
}

/** Runs with ids above `from`, up to `to`, that began before `before` (epoch milliseconds). */
interface RunRange {
  from: number;
  to: number;
  before: number;
}

/**
 * Deletes old runs of sources. Of the old runs of each source, keeps the last, the last successful and the last complete one, which have
 * the state of the source at the beginning of the retained log. Runs inside the caller's transaction.
 */
export function createRunThinner(sqlite: Sqlite, db: Compiler): (range: RunRange) => void {
  const thin = prepare(sqlite, (parameter: QueryParameter<RunRange>) =>
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
  return (range) => {
    thin.run(range);
  };
}
