import { sql } from 'kysely';
import { createOrphanRemover } from '../opt-outs/remove-orphans.ts';
import type { Compiler } from '../sqlite/compiler.ts';
import { type Placeholder, prepare } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { documentColumns, documentsOf } from '../visits/document-columns.ts';

/** Visits with ids above `from`, up to `to`, that began before `before` (epoch milliseconds). */
export interface VisitRange {
  from: number;
  to: number;
  before: number;
}

/** Throws away parts of old visits; each method runs inside the caller's transaction and answers how much went. */
export interface VisitThinner {
  clearSteps(range: VisitRange): { steps: number };
  clearDocuments(range: VisitRange): { documents: number };
  /**
   * Of each domain that has a visit in the range, deletes the visits and reschedules before that one: the last visit that is too old
   * stays, since it says how the domain stood when what is kept begins, and so do the last conclusive one and the last that found the
   * instance.
   */
  deleteVisits(range: VisitRange): { visits: number; documents: number; factSets: number };
}

export function createVisitThinner(sqlite: Sqlite, db: Compiler): VisitThinner {
  const orphans = createOrphanRemover(sqlite, db);
  const inRange = (value: Placeholder<VisitRange>) =>
    sql<boolean>`id > ${value('from')} and id <= ${value('to')} and at < ${value('before')}`;
  const clearSteps = prepare(sqlite, (value: Placeholder<VisitRange>) =>
    db
      .deleteFrom('visit_steps')
      .where('visit_id', 'in', (row) => row.selectFrom('visits').select('id').where(inRange(value))),
  );
  const documented = prepare(sqlite, (value: Placeholder<VisitRange>) =>
    db
      .selectFrom('visits')
      .select(['id', ...documentColumns])
      .where(inRange(value))
      .where((row) => row.or(documentColumns.map((column) => row(column, 'is not', null)))),
  );
  const clearDocuments = prepare(sqlite, (value: Placeholder<{ id: number }>) =>
    db
      .updateTable('visits')
      .set({ config_document: null, discovery_document: null, nodeinfo_document: null })
      .where('id', '=', value('id')),
  );
  // What is before a visit of the range goes, so that of each domain the last visit that is too old stays.
  const outdated = (value: Placeholder<VisitRange>) => sql<boolean>`id in (
    select earlier.id from visits as old cross join visits as earlier
    where old.id > ${value('from')} and old.id <= ${value('to')} and old.at < ${value('before')}
      and earlier.domain_id = old.domain_id and earlier.at <= old.at and earlier.id < old.id
  )`;
  const isLast = (value: Placeholder<VisitRange>, of: string) => sql<boolean>`(${sql.raw(of)} and not exists (
    select 1 from visits as later
    where later.domain_id = visits.domain_id and later.at >= visits.at and later.at < ${value('before')}
      and later.id > visits.id and later.id <= ${value('to')} and later.${sql.raw(of)}
  ))`;
  const deleteVisits = prepare(sqlite, (value: Placeholder<VisitRange>) =>
    db
      .deleteFrom('visits')
      .where(outdated(value))
      .where((row) => row.not(isLast(value, 'kept_facts_id is not null')))
      .where((row) => row.not(isLast(value, `verdict in ('loops', 'other', 'alias')`)))
      .returning(['id', ...documentColumns, 'facts_id', 'kept_facts_id']),
  );
  const deleteReschedules = prepare(sqlite, (value: Placeholder<VisitRange>) =>
    db.deleteFrom('reschedules').where(
      sql<boolean>`id in (
        select moved.id from visits as old cross join reschedules as moved
        where old.id > ${value('from')} and old.id <= ${value('to')} and old.at < ${value('before')}
          and moved.domain_id = old.domain_id and moved.at < old.at
      )`,
    ),
  );

  return {
    clearSteps: (range) => ({ steps: clearSteps.run(range) }),
    clearDocuments(range) {
      const rows = documented.all(range);
      for (const { id } of rows) clearDocuments.run({ id });
      return { documents: orphans.removeDocuments(documentsOf(rows)) };
    },
    deleteVisits(range) {
      deleteReschedules.run(range);
      const rows = deleteVisits.all(range);
      const documents = orphans.removeDocuments(documentsOf(rows));
      const ofFacts = rows.flatMap((row) => [row.facts_id, row.kept_facts_id]);
      return { visits: rows.length, documents, factSets: orphans.removeFactSets(ofFacts) };
    },
  };
}
