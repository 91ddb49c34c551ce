import { AsOfError } from './as-of-error.ts';
import { bisectIds } from './bisect-ids.ts';
import { createCompiler } from './compiler.ts';
import { createKeptSinceKeeper, type KeptSince } from './kept-since.ts';
import type { Sqlite } from './sqlite.ts';

/** Where a past moment lies in what is recorded. */
export interface Cut {
  /** Epoch milliseconds. */
  at: number;
  /** The last visit and the last change that had been recorded by then; 0 when none had. */
  visitId: number;
  changeId: number;
  keptSince: KeptSince;
}

/**
 * Finds by bisection what had been recorded by a time: ids ascend in the order of recording. That order holds but where a clock was set back.
 *
 * @throws AsOfError before the first visit, or when visits of that time are no longer kept.
 */
export function findCut(sqlite: Sqlite, at: number): Cut {
  const keptSince = createKeptSinceKeeper(sqlite, createCompiler()).load();
  if (at < keptSince.visits) {
    throw new AsOfError(at, `visits before ${new Date(keptSince.visits).toISOString()} are no longer kept`);
  }
  const first = sqlite
    .prepare<[], { at: number }>(`select ${RECORDED_AT} as at from main.visits order by id limit 1`)
    .get();
  if (first === undefined) throw new AsOfError(at, 'no visit was ever recorded');
  if (at < first.at) {
    throw new AsOfError(at, `the first visit was recorded at ${new Date(first.at).toISOString()}`);
  }
  const visitId = lastUpTo(
    sqlite,
    'visits',
    sqlite.prepare(`select id, ${RECORDED_AT} <= @at as isBy from main.visits where id >= @id order by id limit 1`),
    { at },
  );
  const changeId = lastUpTo(
    sqlite,
    'changes',
    sqlite.prepare(
      `select id, case cause when 'visit' then visit_id <= @visitId else at <= @at end as isBy
        from main.changes where id >= @id order by id limit 1`,
    ),
    { at, visitId },
  );
  return { at, visitId, changeId, keptSince };
}

/** Of visits from before it was kept, when they ended. */
const RECORDED_AT = 'at + ifnull(recorded_ms, duration_ms)';

function lastUpTo(
  sqlite: Sqlite,
  table: 'visits' | 'changes',
  next: { get(values: object): unknown },
  values: object,
): number {
  const last = Number(sqlite.prepare(`select ifnull(max(id), 0) from main.${table}`).pluck().get());
  return bisectIds(last, (id) => {
    const row = next.get({ ...values, id }) as { id: number; isBy: 0 | 1 } | undefined;
    return row && { id: row.id, isBefore: row.isBy === 1 };
  });
}
