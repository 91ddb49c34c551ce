import { jsonLine } from '../../directory/formatting.ts';
import { DailyTotals } from '../../directory/history/daily-totals.ts';
import { listedHistories } from '../../directory/history/listed-history.ts';
import { statsRowsOf } from '../../directory/history/stats-rows.ts';
import { dayOf } from '../../directory/periods.ts';
import { populationOf } from '../../directory/population/population-of.ts';
import { SourceOverlap } from '../../directory/population/source-overlap.ts';
import { SCHEMA_VERSION, schemaPath } from '../../directory/schema/fields.ts';
import type { StatsPoint } from '../../directory/schema/stats-file.ts';
import { StatsRow } from '../../directory/schema/stats-row.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { columnsOf } from '../tables/column.ts';
import { csvText } from '../tables/csv-text.ts';
import type { Dataset, ExportRun, Tallies } from './dataset.ts';
import { stayOf } from './instances-all.ts';

/** `stats.json`: the estimated number of instances, and the listed ones over time, one day per line. */
export const stats: Dataset = { name: 'stats.json', schema: schemaPath('stats'), chunks: statsText };

function* statsText(source: StoreQueries, tallies: Tallies, { at, counted }: ExportRun): Iterable<Chunk> {
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  const overlap = new SourceOverlap();
  for (const { sources } of source.memberships()) overlap.add(sources);
  yield `",\n"optOuts":${source.optOutCount()},\n"population":${jsonLine(populationOf(overlap))},\n"points":[`;
  let separator = '\n';
  const totals = new DailyTotals(dayOf(at));
  for (const history of listedHistories(source)) {
    totals.add(history);
    tallies.events.add(history);
    tallies.stays.set(history.history.record.domain, stayOf(history));
  }
  for (const point of counted(totals.points())) {
    tallies.days.push(point);
    yield `${separator}${jsonLine(point)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

const columns = columnsOf(StatsRow);

/** `stats.csv`: the days of `stats.json`, which {@link stats} has computed before, as a table. */
export const statsCsv: Dataset = {
  name: 'stats.csv',
  schema: schemaPath('stats.csv'),
  chunks: (_source, { days }, { counted }) => csvText(columns, counted(rowsOf(days))),
};

function* rowsOf(days: readonly StatsPoint[]): Iterable<StatsRow> {
  for (const day of days) yield* statsRowsOf(day);
}
