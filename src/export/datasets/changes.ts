import type { DomainChange } from '../../model/change.ts';
import { redactChange } from '../../model/opt-outs/redact-names.ts';
import type { ExportSource } from '../../views/export-source.ts';
import { isoTime, jsonLine } from '../../views/formatting.ts';
import { ChangeLine } from '../../views/schema/change-line.ts';
import { schemaPath } from '../../views/schema/fields.ts';
import { mapped } from '../mapped.ts';
import { columnsOf } from '../tables/column.ts';
import { csvText } from '../tables/csv-text.ts';
import { parquetBytes } from '../tables/parquet-bytes.ts';
import type { Dataset } from './dataset.ts';

const schema = schemaPath('changes');
const columns = columnsOf(ChangeLine);
const lines = (source: ExportSource) =>
  mapped(source.changes(), (change) => changeLineOf(change, source.mustBeRedacted));

/** Every change of a recorded fact, in the order of recording, in three formats. */
export const changes: readonly Dataset[] = [
  { name: 'changes.ndjson', schema, chunks: (source) => mapped(lines(source), (line) => `${jsonLine(line)}\n`) },
  { name: 'changes.csv', schema, chunks: (source) => csvText(columns, lines(source)) },
  { name: 'changes.parquet', schema, chunks: (source) => parquetBytes(columns, lines(source)) },
];

/** A change as published, with unpublishable domains replaced by null. */
function changeLineOf(change: DomainChange, mustBeRedacted: ExportSource['mustBeRedacted']): ChangeLine {
  const { domain, at, field, from, to, cause } = redactChange(change, mustBeRedacted);
  return { domain, changedAt: isoTime(at), field, before: from, after: to, cause };
}
