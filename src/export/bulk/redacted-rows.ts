import { blocksOf, GENERATED_AT, gzipped } from '../files/blocks.ts';
import type { Column, Row } from '../tables/column.ts';
import { csvHeader, csvLines, csvText } from '../tables/csv-text.ts';
import { ParquetTable } from '../tables/parquet-bytes.ts';
import { rowsOfCsv } from '../tables/rows-of-csv.ts';
import type { RowRedaction } from './row-redaction.ts';

const BATCH = 500;

/** Rows as compressed CSV. */
export function csvGzip(columns: readonly Column[], rows: Iterable<Row>): AsyncIterable<Uint8Array> {
  return gzipped(bytesOf(csvText(columns, rows)));
}

function* bytesOf(text: Iterable<string>): Iterable<Uint8Array> {
  for (const block of blocksOf(text)) if (block !== GENERATED_AT) yield block;
}

/** Whether a published month has rows that must be redacted. */
export async function needsRedaction(
  columns: readonly Column[],
  path: string,
  redaction: RowRedaction,
): Promise<boolean> {
  if (redaction.isEmpty) return false;
  for await (const row of rowsOfCsv(columns, path)) if (redaction.apply(row) !== row) return true;
  return false;
}

/** The redacted rows of a published month. A damaged file yields only the rows before the damage. */
export async function* redactedRows(
  columns: readonly Column[],
  path: string,
  redaction: RowRedaction,
): AsyncIterable<Row> {
  try {
    for await (const row of rowsOfCsv(columns, path)) {
      const redacted = redaction.apply(row);
      if (redacted !== null) yield redacted;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** Whether the content is damaged (an error of zlib, the CSV parser or `JSON.parse`), as opposed to unreadable. */
function isDamage(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('Z_') || code.startsWith('CSV_');
}

/** {@link csvGzip} for an async iterable. */
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

/** An async iterable of rows as Parquet. */
export async function* parquetBytesOf(columns: readonly Column[], rows: AsyncIterable<Row>): AsyncIterable<Uint8Array> {
  const table = new ParquetTable(columns);
  for await (const row of rows) if (table.add(row)) yield table.takeGroup();
  yield table.finish();
}
