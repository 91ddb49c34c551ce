import type { FactsTable } from '../schema/database.ts';
import { runCounts } from '../sources/source-run-row.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { type Cut, findCut } from './as-of-cut.ts';
import { showPastDomains } from './as-of-domains.ts';
import { createPastFactsReader } from './as-of-facts.ts';

export interface AsOf {
  /** Epoch milliseconds. */
  at: number;
  /** Leaves out domains that were never Loops or an alias: enough for the directory, and much faster. */
  everLoops?: boolean;
}

/** Memory for temporary tables; the rest is in a temporary file. */
const CACHE_KIB = 16 * 1024;

/**
 * Makes a read-only connection show the state at a past time, computed from the current log: corrections by a replay are included, domains
 * forgotten since are missing, and domains with a current noindex signal are hidden. Temporary tables and views replace the main tables,
 * because SQLite resolves unqualified names in `temp` first. Call it in a read transaction that stays open.
 *
 * @throws AsOfError when the log does not reach back to that time.
 */
export function showPast(sqlite: Sqlite, { at, everLoops = false }: AsOf): void {
  const cut = findCut(sqlite, at);
  sqlite.pragma(`temp.cache_size = -${CACHE_KIB}`);
  showPastDomains(sqlite, cut, everLoops);
  showPastFacts(sqlite, cut);
  showPastHistory(sqlite, cut);
  showPastSources(sqlite, at);
}

function showPastFacts(sqlite: Sqlite, cut: Cut): void {
  sqlite.exec(`create temp table facts (
    domain_id integer primary key, facts_id integer not null, usage text not null, checked_at integer not null, read_at text not null
  )`);
  const insert = sqlite.prepare<[FactsTable]>(
    'insert into temp.facts values (@domain_id, @facts_id, @usage, @checked_at, @read_at)',
  );
  const read = createPastFactsReader(sqlite);
  const currentRows = sqlite
    .prepare<[], FactsTable>('select facts.* from main.facts cross join temp.domains on domains.id = facts.domain_id')
    // All rows at once: better-sqlite3 cannot write on a connection while it iterates.
    .all();
  for (const current of currentRows) {
    const past = read(current.domain_id, cut);
    // If the instance was not checked since, the current row is used: it has the read times of facts whose visits were deleted.
    if (past !== null) insert.run(past.checked_at === current.checked_at ? current : past);
  }
}

function showPastHistory(sqlite: Sqlite, { at, visitId }: Cut): void {
  sqlite.exec(`
    create temp view visits as select * from main.visits where id <= ${visitId};
    create temp view changes as select * from main.changes where ifnull(visit_id <= ${visitId}, at <= ${at});
    create temp view usage as select * from main.usage where visit_id <= ${visitId};
    create temp table metadata as
      select key, value from main.metadata where key <> 'newest-release'
      union all
      select 'newest-release', json_object('version', version, 'at', at)
      from (select version, at from main.releases where at <= ${at} order by at desc limit 1);
  `);
}

/** Shows source runs that had not ended as in progress, without results. */
function showPastSources(sqlite: Sqlite, at: number): void {
  const ifEnded = (column: string, otherwise: string) =>
    `case when ended_at <= ${at} then ${column} else ${otherwise} end as ${column}`;
  const columns = [
    ...['id', 'source_id', 'begun_at', 'owner', 'claimed_until'],
    ...['outcome', 'ended_at', 'why', 'etag', 'last_modified'].map((column) => ifEnded(column, 'null')),
    ...runCounts.map((column) => ifEnded(column, '0')),
    ifEnded('refused_by_reason', `'{}'`),
  ];
  sqlite.exec(`
    create temp view sources as
      select id, key, type, label, first_at, null as not_before from main.sources where first_at <= ${at};
    create temp view source_inactive_periods as
      select source_id, inactive_from, case when inactive_until <= ${at} then inactive_until end as inactive_until
      from main.source_inactive_periods where inactive_from <= ${at};
    create temp view domain_sources as select * from main.domain_sources where first_at <= ${at};
    create temp view source_runs as select ${columns.join(', ')} from main.source_runs where begun_at <= ${at};
  `);
}
