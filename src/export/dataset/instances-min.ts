import type { ExportSource } from '../export-source.ts';
import { type Chunk, GENERATED_AT } from '../file/chunk.ts';
import { instanceEntryOf } from '../instance-entry-of.ts';
import { jsonLine } from '../json-line.ts';
import type { InstanceChoice } from '../schema/instances-min-file.ts';
import { schemaPath } from '../schema/published-schemas.ts';
import { SCHEMA_VERSION } from '../schema/schema-version.ts';
import type { Dataset } from './dataset.ts';

/** `instances.min.json`: what a picker of instances needs, one a line. */
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
