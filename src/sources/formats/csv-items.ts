import { parse } from 'csv-parse/sync';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import type { SourceError, SourceItem } from '../source.ts';
import type { Line } from './lines.ts';
import { badRecord, type FileEntries, readItem } from './read-item.ts';

interface CsvColumns extends Omit<FileEntries, 'key'> {
  /** Names of the column of the domain; the first that the header has counts. */
  readonly keys: readonly string[];
}

/**
 * Reads CSV. The header names the column of the domain (`keys`); it may begin with `#` (`#domain`, as exported by Mastodon). A file whose
 * first row begins with a domain has no header, and its first column is read. Other rows that begin with `#` are comments.
 *
 * @throws the error from `fail` when the header lacks a required column.
 */
export async function* csvItems(
  lines: AsyncIterable<Line>,
  { keys, softwareKey, software }: CsvColumns,
  options: DomainOptions,
  fail: (problem: string, cure: string) => SourceError,
): AsyncGenerator<SourceItem> {
  let column: number | null = null;
  let softwareColumn = -1;
  for await (const { line, text, isClosed } of csvRecords(lines)) {
    const cells = isClosed ? parseRecord(text) : 'a quote that is not closed';
    if (typeof cells === 'string') {
      yield badRecord(line, text, cells);
      continue;
    }
    const headerColumn: number = column === null ? columnOf(keys, cells) : -1;
    if (headerColumn !== -1) {
      column = headerColumn;
      softwareColumn = softwareKey === undefined ? -1 : findColumn(softwareKey, cells, fail);
    }
    if (headerColumn !== -1 || cells[0]?.startsWith('#') || cells.every((cell) => cell === '')) {
      yield { kind: 'blank', line };
      continue;
    }
    if (column === null) {
      column = columnWithoutHeader(cells, keys, options, fail);
      // Only for its error: without a header, no column has this name.
      if (softwareKey !== undefined) findColumn(softwareKey, cells, fail);
    }
    const cell = cells[column];
    yield cell === undefined
      ? badRecord(line, text, `no column ${column + 1}`)
      : readItem(line, cell, options, cells[softwareColumn] || software);
  }
}

/** The cells, or an error message. */
function parseRecord(text: string): string[] | string {
  // Fast path: starting a parser for each record would take most of the time of a long file.
  if (text !== '' && !text.includes('"')) return text.split(',').map((cell) => cell.trim());
  try {
    // The text is one record, in which a lone CR does not end a line.
    const settings = { relax_quotes: true, trim: true, record_delimiter: '\0\n\0' };
    return parse(text, settings)[0] ?? [];
  } catch (error) {
    return error instanceof Error ? error.message : 'not CSV';
  }
}

/** The column with the first of these names that the header has; -1 without one. */
function columnOf(names: readonly string[], cells: readonly string[]): number {
  const columns = names.map((name) => cells.findIndex((cell) => namesColumn(cell, name)));
  return columns.find((column) => column !== -1) ?? -1;
}

function namesColumn(cell: string, key: string): boolean {
  return cell.replace(/^#/, '').trim().toLowerCase() === key.toLowerCase();
}

/** @throws the error from `fail` when no cell of the row has this name. */
function findColumn(
  name: string,
  cells: readonly string[],
  fail: (problem: string, cure: string) => SourceError,
): number {
  const column = cells.findIndex((cell) => namesColumn(cell, name));
  if (column !== -1) return column;
  throw fail(
    `has no column "${name}" among ${cellList(cells)}`,
    'set "softwareKey" in the settings to the column of the software, or omit it',
  );
}

function cellList(cells: readonly string[]): string {
  return cells
    .map((cell) => JSON.stringify(cell))
    .join(', ')
    .slice(0, 200);
}

function columnWithoutHeader(
  cells: readonly string[],
  keys: readonly string[],
  options: DomainOptions,
  fail: (problem: string, cure: string) => SourceError,
): number {
  if (readItem(1, cells[0] ?? '', options).kind === 'domain') return 0;
  throw fail(
    `has no column ${keys.map((key) => `"${key}"`).join(', ')} among ${cellList(cells)}`,
    'set "key" in the settings to the column of the domains',
  );
}

/** The text of one CSV record, which may span lines; `isClosed` is false when a quote is not closed. */
interface CsvRecord {
  readonly line: number;
  readonly text: string;
  readonly isClosed: boolean;
}

/** A longer record counts as a stray quote, which would otherwise consume the rest of the file. */
const maxLinesInRecord = 100;

/** Joins lines into records (RFC 4180: a quoted field may contain line breaks). A stray quote affects only its own line. */
async function* csvRecords(lines: AsyncIterable<Line>): AsyncGenerator<CsvRecord> {
  const pending: Line[] = [];
  for await (const line of lines) {
    if (pending.length === 0 && !line.text.includes('"')) {
      yield { line: line.number, text: line.text, isClosed: true };
      continue;
    }
    pending.push(line);
    yield* takeRecords(pending, maxLinesInRecord);
  }
  yield* takeRecords(pending, 1);
}

/** Takes complete records off the front; an open record waits until it has `maxLines` lines. */
function* takeRecords(pending: Line[], maxLines: number): Generator<CsvRecord> {
  for (let first = pending[0]; first !== undefined; first = pending[0]) {
    const count = countLinesOfFirstRecord(pending);
    if (count === 0 && pending.length < maxLines) return;
    const lines = pending.splice(0, count || 1);
    yield { line: first.number, text: lines.map(({ text }) => text).join('\n'), isClosed: count > 0 };
  }
}

/** The number of lines of the first record; 0 when the lines end before it does. */
function countLinesOfFirstRecord(lines: readonly Line[]): number {
  let isOpen = false;
  for (const [index, { text }] of lines.entries()) {
    isOpen = isOpenAfter(text, isOpen);
    if (!isOpen) return index + 1;
  }
  return 0;
}

/** Whether a quoted field is still open at the end of a line. A quote opens a field only where the field begins. */
function isOpenAfter(text: string, wasOpen: boolean): boolean {
  const opening = /(?:^|,)[ \t]*"/g;
  const closing = /(?:[^"]|"")*?"(?!")/y;
  let isOpen = wasOpen;
  for (let at = 0; ; ) {
    const next = isOpen ? closing : opening;
    next.lastIndex = at;
    if (!next.test(text)) return isOpen;
    at = next.lastIndex;
    isOpen = !isOpen;
  }
}
