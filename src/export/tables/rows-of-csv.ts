import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import type { Column, Row } from './column.ts';
import { splitItems } from './list-cell.ts';

/** Reads a gzipped file written by `csvLines`, one row at a time. Throws when the content is truncated or has another format. */
export async function* rowsOfCsv(columns: readonly Column[], path: string): AsyncIterable<Row> {
  const parser = parse({
    // A month may have been published without columns that were added since.
    columns: true,
    record_delimiter: '\r\n',
    cast: (text, { quoting, header }) => (text === '' && !quoting && !header ? null : text),
  });
  // Errors of the pipeline are thrown by the loop below.
  const read = pipeline(createReadStream(path), createGunzip(), parser).catch(() => {});
  try {
    for await (const cells of parser as AsyncIterable<Record<string, string | null>>) {
      yield Object.fromEntries(columns.map((column) => [column.name, valueOfCell(column, cells[column.name] ?? null)]));
    }
  } finally {
    parser.destroy();
    await read;
  }
}

function valueOfCell({ kind, isNullable }: Column, cell: string | null): unknown {
  if (cell === null) return kind === 'list' && !isNullable ? [] : null;
  if (kind === 'integer' || kind === 'number') return Number(cell);
  if (kind === 'boolean') return cell === 'true';
  // Only an escaped text or list begins with an apostrophe.
  const text = cell.startsWith("'") ? cell.slice(1) : cell;
  return kind === 'list' ? splitItems(text) : text;
}
