import { jsonLine } from '../../directory/formatting.ts';
import { statsRowsOf } from '../../directory/history/stats-rows.ts';
import { populationOf } from '../../directory/population/population-of.ts';
import { SourceOverlap } from '../../directory/population/source-overlap.ts';
import { SCHEMA_VERSION } from '../../directory/schema/fields.ts';
import type { StatsPoint } from '../../directory/schema/stats-file.ts';
import { StatsRow } from '../../directory/schema/stats-row.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { columnsOf } from '../tables/column.ts';

export const statsColumns = columnsOf(StatsRow);

/** `stats.json`: the estimated number of instances, and the listed ones over time, one day per line. */
export function* statsText(source: StoreReader, days: readonly StatsPoint[]): Iterable<Chunk> {
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  const overlap = new SourceOverlap();
  for (const { sources } of source.sources.ofInstances()) overlap.add(sources);
  yield `",\n"optOuts":${source.optOuts.count()},\n"population":${jsonLine(populationOf(overlap))},\n"points":[`;
  yield days.map((day) => `\n${jsonLine(day)}`).join(',');
  yield '\n]}\n';
}

/** `stats.csv`: these days as a table. */
export function* statsRows(days: readonly StatsPoint[]): Iterable<StatsRow> {
  for (const day of days) yield* statsRowsOf(day);
}
