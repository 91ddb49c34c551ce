import { stringify } from 'csv-stringify/sync';
import { type Column, type Row, textOf, valueAt } from './column.ts';

/** Rows per call of the CSV writer, which has a high fixed cost. */
const BATCH = 500;

type Cell = string | null;

/**
 * A table as CSV (RFC 4180): a header, CRLF line ends, quotes where needed. Null is an empty cell, an empty text or list is `""`; booleans
 * are `true` and `false`, times ISO 8601, lists joined by {@link joinItems}. Texts and lists are escaped by {@link escapeFormula}.
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

/** Rows as lines. Pass several rows per call: the CSV writer has a high fixed cost. */
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
  // Readers that guess types must not take a column of shares for one of whole numbers.
  if (kind === 'number' && Number.isInteger(value)) return `${value}.0`;
  // A number may begin with a minus sign.
  return typeof value === 'number' ? String(value) : escapeFormula(textOf(value));
}

/** Characters that start a formula in spreadsheets, their full-width forms, and the apostrophe that marks text. */
const DANGEROUS = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20']/;

/**
 * Prevents spreadsheets from running a cell as a formula (OWASP, CSV Injection): prepends an apostrophe to a text that starts like a
 * formula, or with an apostrophe. Removing one leading apostrophe therefore always restores the text.
 */
function escapeFormula(text: string): string {
  return DANGEROUS.test(text) ? `'${text}` : text;
}
