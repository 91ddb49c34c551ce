import { blocksOf, GENERATED_AT, gzipped } from '../files/blocks.ts';
import type { Column, Row } from '../tables/column.ts';
import { csvHeader, csvLines, csvText } from '../tables/csv-text.ts';
import { ParquetTable } from '../tables/parquet-bytes.ts';
import { rowsOfCsv } from '../tables/rows-of-csv.ts';
import type { WithheldNames } from './withheld-names.ts';

const BATCH = 500;

/** Rows as CSV, compressed. */
export function csvGzip(columns: readonly Column[], rows: Iterable<Row>): AsyncIterable<Uint8Array> {
  return gzipped(bytesOf(csvText(columns, rows)));
}

function* bytesOf(text: Iterable<string>): Iterable<Uint8Array> {
  for (const block of blocksOf(text)) if (block !== GENERATED_AT) yield block;
}

/** Whether a published month says what may not be said any more. */
export async function holdsAny(columns: readonly Column[], path: string, withheld: WithheldNames): Promise<boolean> {
  if (!withheld.isAny) return false;
  for await (const row of rowsOfCsv(columns, path)) if (withheld.rowOf(row) !== row) return true;
  return false;
}

/**
 * The rows of a published month without what may not be said any more. A file that is damaged gives those before the damage: nobody can give
 * back the others, and without these the files could never be made again.
 */
export async function* rowsWithout(
  columns: readonly Column[],
  path: string,
  withheld: WithheldNames,
): AsyncIterable<Row> {
  try {
    for await (const row of rowsOfCsv(columns, path)) {
      const told = withheld.rowOf(row);
      if (told !== null) yield told;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** What zlib, the CSV parser and `JSON.parse` say of bytes that are not what was written, as opposed to bytes that cannot be read. */
function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('Z_') || code.startsWith('CSV_');
}

/** Rows that come one by one as CSV, compressed. */
export function csvGzipOf(columns: readonly Column[], rows: AsyncIterable<Row>): AsyncIterable<Uint8Array> {
  return gzipped(csvBytes(columns, rows));
}

async function* csvBytes(columns: readonly Column[], rows: AsyncIterable<Row>): AsyncIterable<Uint8Array> {
  yield Buffer.from(csvHeader(columns));
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield Buffer.from(csvLines(columns, batch));
    batch = [];
  }
  if (batch.length > 0) yield Buffer.from(csvLines(columns, batch));
}

/** Rows that come one by one as Parquet. */
export async function* parquetBytesOf(columns: readonly Column[], rows: AsyncIterable<Row>): AsyncIterable<Uint8Array> {
  const table = new ParquetTable(columns);
  for await (const row of rows) if (table.add(row)) yield table.takeGroup();
  yield table.finish();
}
