import { jsonLine } from '../../directory/formatting.ts';
import { instanceEntryOf } from '../../directory/instance-entry-of.ts';
import { SCHEMA_VERSION, schemaPath } from '../../directory/schema/fields.ts';
import { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import type { InstanceChoice, InstanceCounts } from '../../directory/schema/instances-file.ts';
import { type Chunk, GENERATED_AT } from '../files/blocks.ts';
import { columnsOf } from '../tables/column.ts';
import { csv, type Format, parquet, TableWriter } from '../tables/table-writer.ts';
import { type Dataset, filesOf } from './dataset.ts';

const columns = columnsOf(InstanceEntry);

/**
 * The listed instances: `instances.json`, one per line, for line-based comparison; `instances.min.json`, with the fields for an instance
 * picker; as tables; and `domains.txt`, one domain a line.
 */
export const instances: Dataset = {
  files: [
    { name: 'instances.json', schema: schemaPath('instances') },
    { name: 'instances.min.json', schema: schemaPath('instances.min') },
    ...filesOf('instances', ['csv', 'parquet'], schemaPath('instances.csv')),
    { name: 'domains.txt', about: 'The domains of the listed instances, one per line.', schema: null },
  ],
  *parts(source, { instances: tally, instanceLines }, { at }) {
    const tables = new TableWriter<InstanceEntry>({ 1: choices(), 2: csv(columns), 3: parquet(columns), 4: names });
    for (const record of source.instances.listed(at)) {
      const entry = instanceEntryOf(record);
      tally.add(entry);
      instanceLines.push(Buffer.from(jsonLine(entry)));
      if (tables.add(entry)) yield* tables.take();
    }
    yield* tables.finish();
    // The totals stand at the start of the file.
    for (const chunk of instancesText(tally.counts, instanceLines)) yield { file: 0, chunk };
    yield { file: 0, chunk: '', rows: instanceLines.length };
  },
};

function* instancesText(counts: InstanceCounts, lines: Iterable<Buffer>): Iterable<Chunk> {
  yield* HEAD;
  yield `"counts":${jsonLine(counts)},\n"instances":[`;
  let separator = '\n';
  for (const line of lines) {
    yield `${separator}${line}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

const HEAD = [`{"schemaVersion":${SCHEMA_VERSION},\n"generatedAt":"`, GENERATED_AT, '",\n'] as const;

/** The instances of `instances.min.json`. */
function choices(): Format<InstanceEntry> {
  let separator = '\n';
  return {
    head: [...HEAD, '"instances":['],
    *rows(batch) {
      for (const entry of batch) {
        yield `${separator}${jsonLine(choiceOf(entry))}`;
        separator = ',\n';
      }
    },
    end: () => ['\n]}\n'],
  };
}

function choiceOf(entry: InstanceEntry): InstanceChoice {
  const { domain, url, name, version, status, registration, usage, joinable } = entry;
  const { open, mode } = registration;
  return { domain, url, name, version, status, open, mode, users: usage.users, joinable };
}

const names: Format<InstanceEntry> = { rows: (batch) => batch.map(({ domain }) => `${domain}\n`) };
