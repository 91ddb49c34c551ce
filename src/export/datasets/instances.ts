import type { ExportSource } from '../../views/export-source.ts';
import { jsonLine } from '../../views/formatting.ts';
import { instanceEntryOf } from '../../views/instance-entry-of.ts';
import { SCHEMA_VERSION, schemaPath } from '../../views/schema/fields.ts';
import { InstanceEntry } from '../../views/schema/instance-entry.ts';
import type { InstanceChoice } from '../../views/schema/instances-file.ts';
import { InstanceTally } from '../../views/tallies.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { mapped } from '../mapped.ts';
import { columnsOf } from '../tables/column.ts';
import { csvText } from '../tables/csv-text.ts';
import type { Dataset, Tallies } from './dataset.ts';

/** `instances.json`: the listed instances, one per line, for line-based comparison. */
export const instances: Dataset = {
  name: 'instances.json',
  schema: schemaPath('instances'),
  chunks: instancesText,
};

/** Reads the source twice: the totals are at the start of the file, and the rows are not held in memory. */
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
    throw new Error('instances() returned different rows within one export: the source must read one snapshot');
  }
  yield '\n]}\n';
}

/** `instances.min.json`: the fields for an instance picker, one instance per line. */
export const instancesMin: Dataset = {
  name: 'instances.min.json',
  schema: schemaPath('instances.min'),
  chunks: instancesMinText,
};

function* instancesMinText(source: ExportSource): Iterable<Chunk> {
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  yield '",\n"instances":[';
  let separator = '\n';
  for (const record of source.instances()) {
    const { domain, name, version, registration, usage } = instanceEntryOf(record);
    const choice: InstanceChoice = { domain, name, version, open: registration.open, users: usage.users };
    yield `${separator}${jsonLine(choice)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

const columns = columnsOf(InstanceEntry);

/** `instances.csv`: the entries of `instances.json` as a table. */
export const instancesCsv: Dataset = {
  name: 'instances.csv',
  schema: schemaPath('instances.csv'),
  chunks: (source) => csvText(columns, mapped(source.instances(), instanceEntryOf)),
};
