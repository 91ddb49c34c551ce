import { schemaPath } from '../../directory/schema/fields.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import type { Column, Row } from '../tables/column.ts';
import { csvText } from '../tables/csv-text.ts';
import { parquetBytes } from '../tables/parquet-bytes.ts';
import type { Dataset, ExportRun, Tallies } from './dataset.ts';

/** The rows of a table, in order. */
export type Rows = (source: StoreQueries, tallies: Tallies, run: ExportRun) => Iterable<Row>;

/** `NAME.csv` and `NAME.parquet`: the same rows. In Parquet, the types of the columns do not depend on the values. */
export function table(name: string, schemaName: string, columns: readonly Column[], rows: Rows): readonly Dataset[] {
  const schema = schemaPath(schemaName);
  return [
    {
      name: `${name}.csv`,
      schema,
      chunks: (source, tallies, run) => csvText(columns, run.counted(rows(source, tallies, run))),
    },
    {
      name: `${name}.parquet`,
      schema,
      chunks: (source, tallies, run) => parquetBytes(columns, run.counted(rows(source, tallies, run))),
    },
  ];
}
