import type { StatsHistory } from '../../directory/history/stats-history.ts';
import { Measure, StatsRow } from '../../directory/schema/stats-row.ts';
import { columnsOf } from '../../export/tables/column.ts';
import { csvText } from '../../export/tables/csv-text.ts';

export const MEASURES = Measure.options;
const columns = columnsOf(StatsRow);

/** The rows of `stats.csv` that a chart is drawn from. */
export function statsCsv({ rows }: StatsHistory, measure: Measure): string {
  return csvText(
    columns,
    rows.filter((row) => row.measure === measure),
  );
}
