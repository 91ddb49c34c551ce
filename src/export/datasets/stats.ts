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
import type { StoreReader } from '../../store/store-reader.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { columnsOf } from '../tables/column.ts';
import { csv, TableWriter } from '../tables/table-writer.ts';
import type { Dataset } from './dataset.ts';
import { stayOf } from './instances-all.ts';

const columns = columnsOf(StatsRow);

/** `stats.json`: the estimated number of instances, and the listed ones over time, one day per line; `stats.csv`: these days as a table. */
export const stats: Dataset = {
  files: [
    { name: 'stats.json', schema: schemaPath('stats') },
    { name: 'stats.csv', schema: schemaPath('stats.csv') },
  ],
  *parts(source, tallies, { at }) {
    const totals = new DailyTotals(dayOf(at));
    for (const history of listedHistories(source)) {
      totals.add(history);
      tallies.events.add(history);
      tallies.stays.set(history.history.record.domain, stayOf(history));
    }
    tallies.days.push(...totals.points());
    for (const chunk of statsText(source, tallies.days)) yield { file: 0, chunk };
    yield { file: 0, chunk: '', rows: tallies.days.length };
    yield* new TableWriter({ 1: csv(columns) }).write(rowsOf(tallies.days));
  },
};

function* statsText(source: StoreReader, days: readonly StatsPoint[]): Iterable<Chunk> {
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  const overlap = new SourceOverlap();
  for (const { sources } of source.sources.ofInstances()) overlap.add(sources);
  yield `",\n"optOuts":${source.optOuts.count()},\n"population":${jsonLine(populationOf(overlap))},\n"points":[`;
  yield days.map((day) => `\n${jsonLine(day)}`).join(',');
  yield '\n]}\n';
}

function* rowsOf(days: readonly StatsPoint[]): Iterable<StatsRow> {
  for (const day of days) yield* statsRowsOf(day);
}
