import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';

/** The rows of a table. A cell is its text in the file, or null if unknown. */
export type Cells = Record<string, string | null>[];

/** Reads a CSV file, compressed or not, with an independent parser; an empty unquoted cell is null. */
export async function readCsv(dir: string, name: string): Promise<Cells> {
  const bytes = await readFile(join(dir, name));
  return parse(name.endsWith('.gz') ? gunzipSync(bytes) : bytes, {
    columns: true,
    record_delimiter: '\r\n',
    cast: (text, { quoting, header }) => (text === '' && !quoting && !header ? null : text),
  });
}

/** Reads a Parquet file with hyparquet, with each value formatted as in the CSV. */
export async function readParquet(dir: string, name: string): Promise<Cells> {
  const bytes = await readFile(join(dir, name));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const rows = await parquetReadObjects({ file });
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cellOf(value)])));
}

function cellOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  // Whole numbers are bigint.
  if (typeof value === 'number' && Number.isInteger(value)) return `${value}.0`;
  if (Array.isArray(value)) return value.join('; ');
  const text = String(value);
  return typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠']/.test(text) ? `'${text}` : text;
}
