import type { Cut } from './as-of-cut.ts';
import { runCounts } from './source-run-row.ts';
import type { Sqlite } from './sqlite.ts';

/** Told when a run ended, and nothing of it before. */
const ENDING = ['outcome', 'ended_at', 'why', 'etag', 'last_modified'];

/** Puts views of the sources as they stood at a past moment in the place of their tables, for this connection alone. */
export function showPastSources(sqlite: Sqlite, { at }: Pick<Cut, 'at'>): void {
  const ifEnded = (column: string, otherwise: string) =>
    `case when ended_at <= ${at} then ${column} else ${otherwise} end as ${column}`;
  const columns = [
    'id',
    'source_id',
    'begun_at',
    'owner',
    'claimed_until',
    ...ENDING.map((column) => ifEnded(column, 'null')),
    ...runCounts.map((column) => ifEnded(column, '0')),
    ifEnded('refused_by_reason', `'{}'`),
  ];
  sqlite.exec(`
    create temp view sources as
      select id, key, type, label, first_at, null as not_before from main.sources where first_at <= ${at};
    create temp view source_absences as
      select source_id, left_at, case when back_at <= ${at} then back_at end as back_at
      from main.source_absences where left_at <= ${at};
    create temp view domain_sources as select * from main.domain_sources where first_at <= ${at};
    create temp view source_runs as select ${columns.join(', ')} from main.source_runs where begun_at <= ${at};
  `);
}
