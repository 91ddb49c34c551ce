import { parse } from 'csv-parse/sync';
import { type DomainOptions, parseDomain } from '../domain/parse-domain.ts';
import { csvRecords } from './csv-records.ts';
import type { FileEntries } from './file-entries.ts';
import { badRecord, readItem } from './read-item.ts';
import type { Line } from './read-lines.ts';
import type { SourceItem } from './source.ts';
import type { SourceError } from './source-error.ts';

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
