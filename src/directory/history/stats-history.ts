import type { Clock, EpochMs } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { dayOf } from '../periods.ts';
import type { StatsRow } from '../schema/stats-row.ts';
import { createYielder } from '../yield-regularly.ts';
import { DailyTotals } from './daily-totals.ts';
import { listedHistories } from './listed-history.ts';
import { statsRowsOf } from './stats-rows.ts';

/** The statistics of the listed instances over time. */
export interface StatsHistory {
  readonly at: EpochMs;
  /** The rows of `stats.csv`, in its order. */
  readonly rows: readonly StatsRow[];
}

interface StatsHistoryOptions {
  /** A reader within one read transaction. */
  reader: StoreReader;
  at: number;
  clock: Clock;
  signal: AbortSignal;
}

/** Computes the rows of every day without blocking the event loop. */
export async function readStatsHistory({ reader, at, clock, signal }: StatsHistoryOptions): Promise<StatsHistory> {
  const pause = createYielder(clock);
  const totals = new DailyTotals(dayOf(at));
  for (const history of listedHistories(reader)) {
    totals.add(history);
    await pause();
    signal.throwIfAborted();
  }
  const rows: StatsRow[] = [];
  for (const point of totals.points()) {
    rows.push(...statsRowsOf(point));
    await pause();
    signal.throwIfAborted();
  }
  return { at, rows };
}
