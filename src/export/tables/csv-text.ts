import Papa from 'papaparse';
import { type Column, type Row, textOf } from './column.ts';

type Cell = string | null;

/** A whole table, header included. */
export function csvText(columns: readonly Column[], rows: readonly Row[]): string {
  return csvHeader(columns) + csvLines(columns, rows);
}

export function csvHeader(columns: readonly Column[]): string {
  return lines([columns.map(({ name }) => name)]);
}

/**
 * Rows as lines of CSV (RFC 4180): CRLF line ends, quotes where needed. Null is an empty cell, an empty text or list is `""`; booleans are
 * `true` and `false`, times ISO 8601, lists joined by {@link joinItems}. Texts and lists are escaped by {@link escapeFormula}. Pass several
 * rows per call: the CSV writer has a fixed cost.
 */
export function csvLines(columns: readonly Column[], rows: readonly Row[]): string {
  return lines(rows.map((row) => columns.map((column) => cellOf(column, column.valueOf(row)))));
}

function lines(rows: Cell[][]): string {
  if (rows.length === 0) return '';
  return `${Papa.unparse(rows, { newline: '\r\n', quotes: (cell) => cell === '' })}\r\n`;
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
