import { isoTime, jsonLine } from '../../directory/formatting.ts';
import { ChangeLine } from '../../directory/schema/change-line.ts';
import { schemaPath } from '../../directory/schema/fields.ts';
import type { DomainChange } from '../../model/change.ts';
import { hideInChange, type IsHidden } from '../../model/opt-outs/opted-out-references.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import { columnsOf } from '../tables/column.ts';
import { csvText } from '../tables/csv-text.ts';
import { parquetBytes } from '../tables/parquet-bytes.ts';
import type { Dataset } from './dataset.ts';

const schema = schemaPath('changes');
const columns = columnsOf(ChangeLine);
const lines = (source: StoreQueries) =>
  Iterator.from(source.changes()).map((change) => changeLineOf(change, source.isHidden));

/** Every change of a recorded fact, in the order of recording, in three formats. */
export const changes: readonly Dataset[] = [
  {
    name: 'changes.ndjson',
    schema,
    chunks: (source, _, { counted }) => Iterator.from(counted(lines(source))).map((line) => `${jsonLine(line)}\n`),
  },
  { name: 'changes.csv', schema, chunks: (source, _, { counted }) => csvText(columns, counted(lines(source))) },
  {
    name: 'changes.parquet',
    schema,
    chunks: (source, _, { counted }) => parquetBytes(columns, counted(lines(source))),
  },
];

/** A change as published. */
function changeLineOf(change: DomainChange, isHidden: IsHidden): ChangeLine {
  const { domain, at, field, from, to, cause } = hideInChange(change, isHidden);
  return { domain, changedAt: isoTime(at), field, before: from, after: to, cause };
}
