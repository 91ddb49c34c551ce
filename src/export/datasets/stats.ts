import type { ExportSource } from '../../views/export-source.ts';
import { jsonLine } from '../../views/formatting.ts';
import { statsPoints } from '../../views/history/stats-points.ts';
import { populationOf } from '../../views/population/population-of.ts';
import { SourceOverlap } from '../../views/population/source-overlap.ts';
import { SCHEMA_VERSION, schemaPath } from '../../views/schema/fields.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import type { Dataset, ExportRun, Tallies } from './dataset.ts';

/** `stats.json`: the estimated number of instances, and the listed ones over time, one day per line. */
export const stats: Dataset = { name: 'stats.json', schema: schemaPath('stats'), chunks: statsText };

function* statsText(source: ExportSource, _tallies: Tallies, { at }: ExportRun): Iterable<Chunk> {
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  const overlap = new SourceOverlap();
  for (const { sources } of source.memberships()) overlap.add(sources);
  yield `",\n"optOuts":${source.optOuts()},\n"population":${jsonLine(populationOf(overlap))},\n"points":[`;
  let separator = '\n';
  for (const point of statsPoints(source, at)) {
    yield `${separator}${jsonLine(point)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}
