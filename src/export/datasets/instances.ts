import { jsonLine } from '../../directory/formatting.ts';
import { instanceEntryOf } from '../../directory/instance-entry-of.ts';
import { SCHEMA_VERSION, schemaPath } from '../../directory/schema/fields.ts';
import { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import type { InstanceChoice } from '../../directory/schema/instances-file.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { columnsOf } from '../tables/column.ts';
import type { Dataset, ExportRun, Tallies } from './dataset.ts';
import { table } from './table.ts';

/** `instances.json`: the listed instances, one per line, for line-based comparison. */
export const instances: Dataset = {
  name: 'instances.json',
  schema: schemaPath('instances'),
  chunks: instancesText,
};

/** The totals are at the start of the file, so all instances are read before the first line. */
function* instancesText(
  source: StoreQueries,
  { instances: tally, instanceLines }: Tallies,
  { at, counted }: ExportRun,
): Iterable<Chunk> {
  for (const record of counted(source.instances(at))) {
    const entry = instanceEntryOf(record);
    tally.add(entry);
    instanceLines.push(Buffer.from(jsonLine(entry)));
  }
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  yield `",\n"counts":${jsonLine(tally.counts)},\n"instances":[`;
  let separator = '\n';
  for (const line of instanceLines) {
    yield `${separator}${line}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The entries that {@link instances} has read: that dataset must be written first. */
export function* entriesOf({ instanceLines }: Tallies): Iterable<InstanceEntry> {
  for (const line of instanceLines) yield JSON.parse(line.toString());
}

/** `instances.min.json`: the fields for an instance picker, one instance per line. */
export const instancesMin: Dataset = {
  name: 'instances.min.json',
  schema: schemaPath('instances.min'),
  chunks: instancesMinText,
};

function* instancesMinText(_source: StoreQueries, tallies: Tallies, { counted }: ExportRun): Iterable<Chunk> {
  yield `{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`;
  yield GENERATED_AT;
  yield '",\n"instances":[';
  let separator = '\n';
  for (const entry of counted(entriesOf(tallies))) {
    const { domain, url, name, version, status, registration, usage, joinable } = entry;
    const { open, mode } = registration;
    const choice: InstanceChoice = { domain, url, name, version, status, open, mode, users: usage.users, joinable };
    yield `${separator}${jsonLine(choice)}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The entries of `instances.json` as tables. */
export const instanceTables = table('instances', 'instances.csv', columnsOf(InstanceEntry), (_source, tallies) =>
  entriesOf(tallies),
);
