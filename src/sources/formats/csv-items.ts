import { parse } from 'csv-parse/sync';
import { type DomainOptions, parseDomain } from '../../model/domain/parse-domain.ts';
import type { Line } from '../regular-file.ts';
import type { SourceItem } from '../source.ts';
import type { SourceError } from '../source-error.ts';
import { badRecord, type FileEntries, readItem } from './read-item.ts';

/**
 * CSV: the domain is in the column that the header calls `key`; a header may begin with `#` (`#domain`, as Mastodon
 * exports it). A file whose first row begins with a domain has no header, and its first column is read. Other rows that
 * begin with `#` are comments.
 * @throws what `fail` makes, when there is a header and no such column in it, or none for the software that is named
 */
export async function* csvItems(
  lines: AsyncIterable<Line>,
  { key, softwareKey, software }: FileEntries,
  options: DomainOptions,
  fail: (problem: string, cure: string) => SourceError,
): AsyncGenerator<SourceItem> {
  let column: number | null = null;
  let softwareColumn = -1;
  for await (const { line, text, isClosed } of csvRecords(lines)) {
    const cells = isClosed ? parseRecord(text) : 'a quote that is never closed';
    if (typeof cells === 'string') {
      yield badRecord(line, text, cells);
      continue;
    }
    const header: number = column === null ? cells.findIndex((cell) => namesColumn(cell, key)) : -1;
    if (header !== -1) {
      column = header;
      softwareColumn = softwareKey === undefined ? -1 : columnNamed(softwareKey, cells, fail);
    }
    if (header !== -1 || cells[0]?.startsWith('#') || cells.every((cell) => cell === '')) {
      yield { kind: 'blank', line };
      continue;
    }
    if (column === null) {
      column = columnWithoutHeader(cells, key, options, fail);
      if (softwareKey !== undefined) columnNamed(softwareKey, cells, fail);
    }
    const cell = cells[column];
    yield cell === undefined
      ? badRecord(line, text, `no column ${column + 1}`)
      : readItem(line, cell, options, cells[softwareColumn] || software);
  }
}

/** The cells, or what is wrong. */
function parseRecord(text: string): string[] | string {
  // Without a quote, it is what stands between the commas; a parser for each record would take most of the time of a long file.
  if (text !== '' && !text.includes('"')) return text.split(',').map((cell) => cell.trim());
  try {
    // No record delimiter: the text is one record already, and a lone CR in it is no line end.
    const settings = { relax_quotes: true, trim: true, record_delimiter: '\0\n\0' };
    return parse(text, settings)[0] ?? [];
  } catch (error) {
    return error instanceof Error ? error.message : 'not CSV';
  }
}

function namesColumn(cell: string, key: string): boolean {
  return cell.replace(/^#/, '').trim().toLowerCase() === key.toLowerCase();
}

/** @throws what `fail` makes, when no cell of the row names it */
function columnNamed(
  name: string,
  cells: readonly string[],
  fail: (problem: string, cure: string) => SourceError,
): number {
  const column = cells.findIndex((cell) => namesColumn(cell, name));
  if (column !== -1) return column;
  throw fail(
    `has no column "${name}" among ${shown(cells)}`,
    'name the column with the software as "softwareKey" in the settings, or leave that out',
  );
}

function shown(cells: readonly string[]): string {
  return cells
    .map((cell) => JSON.stringify(cell))
    .join(', ')
    .slice(0, 200);
}

function columnWithoutHeader(
  cells: readonly string[],
  key: string,
  options: DomainOptions,
  fail: (problem: string, cure: string) => SourceError,
): number {
  if (parseDomain(cells[0] ?? '', options).ok) return 0;
  throw fail(
    `has no column "${key}" among ${shown(cells)}`,
    'name the column with the domains as "key" in the settings',
  );
}

/** The text of one CSV record, which may span lines; `isClosed` is false for a line whose quote is never closed. */
interface CsvRecord {
  readonly line: number;
  readonly text: string;
  readonly isClosed: boolean;
}

/** A longer record is taken for a stray quote, which would otherwise swallow the rest of the file. */
const maxLinesInRecord = 100;

/** Puts lines together to records (RFC 4180: a quoted field may hold line ends). A stray quote costs its own line only. */
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

/** Takes what is complete off the front; what is open waits, until it is as long as `patience`. */
function* takeRecords(pending: Line[], patience: number): Generator<CsvRecord> {
  for (let first = pending[0]; first !== undefined; first = pending[0]) {
    const count = linesOfFirstRecord(pending);
    if (count === 0 && pending.length < patience) return;
    const lines = pending.splice(0, count || 1);
    yield { line: first.number, text: lines.map(({ text }) => text).join('\n'), isClosed: count > 0 };
  }
}

function linesOfFirstRecord(lines: readonly Line[]): number {
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
