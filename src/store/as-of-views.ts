import type { Cut } from './as-of-cut.ts';
import { revisedColumns } from './keep-revised-visit.ts';
import type { Sqlite } from './sqlite.ts';
import { countColumns } from './usage-row.ts';

const COUNTS = countColumns.join(', ');

/**
 * Puts views of what had been recorded by a past moment in the place of the tables of the history, for this connection alone. A name
 * without a schema means what is in `temp` first (SQLite, "CREATE VIEW"), so every query of a reader asks these.
 */
export function showPastHistory(sqlite: Sqlite, { at, visitId, changeId }: Cut): void {
  sqlite.exec(`
    create temp table since_revised as
      select visit_id, domain_id, ${revisedColumns.join(', ')}, ${COUNTS}, min(revised_at) as revised_at
      from main.revised_visits where revised_at > ${at} group by visit_id;
    create unique index temp.since_revised_visit on since_revised (visit_id);
  `);
  // Mostly there is none.
  const isAnyRevised = sqlite.prepare('select 1 from temp.since_revised limit 1').get() !== undefined;
  const columns = sqlite
    .prepare<[], string>(`select name from pragma_table_info('visits', 'main')`)
    .pluck()
    .all()
    .map((column) => (isAnyRevised ? asItWas(column) : column));
  sqlite.exec(`
    create temp view visits as select ${columns.join(', ')} from main.visits where id <= ${visitId};
    create temp view changes as select * from main.changes where id <= ${changeId};
    create temp view usage as ${isAnyRevised ? usageAsItWas(visitId) : `select * from main.usage where visit_id <= ${visitId}`};
    create temp table notes as
      select key, value from main.notes where key <> 'newest-release'
      union all
      select 'newest-release', json_object('version', version, 'at', at)
      from (select version, at from main.releases where at <= ${at} order by at desc limit 1);
  `);
}

/** By scalar queries and no join, so that SQLite can flatten the view into whatever asks it. */
function asItWas(column: string): string {
  if (!(revisedColumns as readonly string[]).includes(column)) return column;
  return `case when id in (select visit_id from temp.since_revised)
    then (select revised.${column} from temp.since_revised as revised where revised.visit_id = main.visits.id)
    else ${column} end as ${column}`;
}

function usageAsItWas(visitId: number): string {
  return `select * from main.usage where visit_id <= ${visitId} and visit_id not in (select visit_id from temp.since_revised)
    union all
    select revised.domain_id, visits.at, visit_id, ${COUNTS} from temp.since_revised as revised
    join main.visits as visits on visits.id = visit_id
    where visit_id <= ${visitId} and coalesce(${COUNTS}) is not null`;
}
