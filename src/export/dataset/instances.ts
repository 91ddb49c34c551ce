import type { ExportSource } from '../export-source.ts';
import { type Chunk, GENERATED_AT } from '../file/chunk.ts';
import { instanceEntryOf } from '../instance-entry-of.ts';
import { InstanceTally } from '../instance-tally.ts';
import { jsonLine } from '../json-line.ts';
import { schemaPath } from '../schema/published-schemas.ts';
import { SCHEMA_VERSION } from '../schema/schema-version.ts';
import type { Dataset, Tallies } from './dataset.ts';

/** `instances.json`: the listed instances, one a line so that two versions of the file can be compared line by line. */
export const instances: Dataset = {
  name: 'instances.json',
  schema: schemaPath('instances'),
  chunks: instancesText,
};

/** Reads the source twice: the totals stand at the head of the file, and the rows are not held in memory. */
function* instancesText(source: ExportSource, tallies: Tallies): Iterable<Chunk> {
  const ahead = new InstanceTally();
  for (const record of source.instances()) ahead.add(instanceEntryOf(record));
  const counts = jsonLine(ahead.counts);

  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  yield `",\n"counts":${counts},\n"instances":[`;
  let separator = '\n';
  for (const record of source.instances()) {
    const entry = instanceEntryOf(record);
    tallies.instances.add(entry);
    yield `${separator}${jsonLine(entry)}`;
    separator = ',\n';
  }
  if (jsonLine(tallies.instances.counts) !== counts) {
    throw new Error('instances() gave two different answers within one export: the source must read one snapshot');
  }
  yield '\n]}\n';
}
