import { stringify } from 'csv-stringify/sync';
import { type Column, type Row, valueAt } from './column.ts';

/** Rows written in one go: each call of the writer costs as much as some rows. */
const BATCH = 500;

type Cell = string | null;

/**
 * A table as CSV (RFC 4180): a header, lines that end with CRLF, quotes where they are needed. Null is an empty cell and an empty text
 * is `""`; booleans are `true` and `false`, times ISO 8601, lists JSON. Texts are made harmless ({@link harmlessCell}).
 */
export function* csvText(columns: readonly Column[], rows: Iterable<Row>): Iterable<string> {
  yield csvHeader(columns);
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield csvLines(columns, batch);
    batch = [];
  }
  if (batch.length > 0) yield csvLines(columns, batch);
}

export function csvHeader(columns: readonly Column[]): string {
  return lines([columns.map(({ name }) => name)]);
}

/** Rows as lines; the writer of CSV is costly to begin with, so give it some at a time. */
export function csvLines(columns: readonly Column[], rows: readonly Row[]): string {
  return lines(rows.map((row) => columns.map((column) => cellOf(column, valueAt(row, column)))));
}

function lines(rows: Cell[][]): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    cast: { string: (text) => (text === '' ? { value: '', quoted_empty: true } : text) },
  });
}

function cellOf({ kind }: Column, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (kind === 'list' || kind === 'json') return JSON.stringify(value);
  return kind === 'text' ? harmlessCell(String(value)) : String(value);
}

/** What spreadsheets take for the beginning of a formula, their full-width forms, and what marks a cell as text. */
const DANGEROUS = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20']/;

/**
 * A text as a CSV cell that no spreadsheet runs (OWASP, CSV Injection): one that begins as a formula does gets an apostrophe before
 * it. So does one that begins with an apostrophe, so that taking away one leading apostrophe always gives the text back.
 */
function harmlessCell(text: string): string {
  return DANGEROUS.test(text) ? `'${text}` : text;
}
