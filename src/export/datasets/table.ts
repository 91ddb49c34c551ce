import { schemaPath } from '../../directory/schema/fields.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import type { Column, Row } from '../tables/column.ts';
import { csvText } from '../tables/csv-text.ts';
import { ParquetTable } from '../tables/parquet-bytes.ts';
import type { Dataset, ExportRun, Tallies } from './dataset.ts';

/** The rows of a table, in order. */
export type Rows = (source: StoreQueries, tallies: Tallies, run: ExportRun) => Iterable<Row>;

/**
 * `NAME.csv` and `NAME.parquet`: the same rows. In Parquet, the types of the columns do not depend on the values. One pass over the rows makes
 * both, because reading them costs most; the Parquet file, a fraction of the CSV, waits in memory.
 */
export function table(name: string, schemaName: string, columns: readonly Column[], rows: Rows): readonly Dataset[] {
  const schema = schemaPath(schemaName);
  const made = new WeakMap<Tallies, { rows: number; bytes: readonly Uint8Array[] }>();
  return [
    {
      name: `${name}.csv`,
      schema,
      *chunks(source, tallies, run) {
        const parquet = new ParquetTable(columns);
        const bytes: Uint8Array[] = [];
        let count = 0;
        function* both() {
          for (const row of rows(source, tallies, run)) {
            if (parquet.add(row)) bytes.push(parquet.takeGroup().slice());
            count += 1;
            yield row;
          }
        }
        yield* csvText(columns, both());
        bytes.push(parquet.finish().slice());
        made.set(tallies, { rows: count, bytes });
        run.setRows(count);
      },
    },
    {
      name: `${name}.parquet`,
      schema,
      *chunks(_source, tallies, run) {
        const { rows: count, bytes } = made.get(tallies) ?? { rows: 0, bytes: [] };
        made.delete(tallies);
        run.setRows(count);
        yield* bytes;
      },
    },
  ];
}
