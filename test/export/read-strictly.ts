import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parseXml, type XmlElement } from './parse-xml.ts';

/** Bidirectional controls (UAX #9), Unicode line separators, and every control character but the line feed. */
const UNSAFE = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** The start of a formula in a spreadsheet cell. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

export type Row = Record<string, unknown>;

/** The contents of an export, parsed by format. */
export interface ParsedExport {
  /** Paths below the folder, sorted. */
  readonly names: readonly string[];
  readonly json: ReadonlyMap<string, unknown>;
  /** The rows of NDJSON, CSV and Parquet files, by file. The cells of CSV are text. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly xml: ReadonlyMap<string, XmlElement>;
  readonly text: ReadonlyMap<string, string>;
}

/**
 * Reads every file of an export with strict parsers.
 *
 * @throws if a file is not valid in its format, holds an unsafe character, or has an unknown format.
 */
export async function readStrictly(dir: string): Promise<ParsedExport> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  const parsed = { json: new Map(), rows: new Map(), xml: new Map(), text: new Map() };
  const paths = names.map((path) => path.slice(dir.length + 1)).sort();
  for (const name of paths) {
    try {
      await parseFileInto(dir, name, parsed);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  return { names: paths, ...parsed };
}

interface Collected {
  json: Map<string, unknown>;
  rows: Map<string, Row[]>;
  xml: Map<string, XmlElement>;
  text: Map<string, string>;
}

async function parseFileInto(dir: string, name: string, parsed: Collected): Promise<void> {
  if (name.endsWith('.parquet')) {
    parsed.rows.set(name, await parquetReadObjects({ file: await asyncBufferFromFile(join(dir, name)) }));
    return;
  }
  const bytes = await readFile(join(dir, name));
  const isGzip = name.endsWith('.gz');
  const plain = isGzip ? name.slice(0, -3) : name;
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(isGzip ? gunzipSync(bytes) : bytes);
  const ending = plain.slice(plain.lastIndexOf('.') + 1);
  const unsafe = UNSAFE.exec(ending === 'csv' ? text.replaceAll('\r\n', '\n') : text);
  if (unsafe !== null) throw new Error(`U+${unsafe[0].codePointAt(0)?.toString(16)} is in the file`);
  if (text.startsWith('\ufeff')) throw new Error('it begins with a byte order mark');
  parsed.text.set(name, text);
  switch (ending) {
    case 'json':
      parsed.json.set(name, JSON.parse(text));
      break;
    case 'ndjson':
      parsed.rows.set(
        name,
        linesOf(text).map((line) => JSON.parse(line)),
      );
      break;
    case 'csv':
      parsed.rows.set(name, rowsOfCsv(text));
      break;
    case 'atom':
      parsed.xml.set(name, parseXml(text));
      break;
    case 'txt':
    case 'md':
    case 'cff':
      linesOf(text);
      break;
    default:
      throw new Error('the format is unknown');
  }
}

/** @throws if the last line has no line end. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no line end');
  return lines;
}

function rowsOfCsv(text: string): Row[] {
  const rows = parse<Row>(text, { columns: true, record_delimiter: '\r\n' });
  for (const cell of rows.flatMap((row) => Object.values(row).map(String))) {
    if (FORMULA.test(cell) && !NUMBER.test(cell)) throw new Error(`the cell ${JSON.stringify(cell)} is a formula`);
  }
  return rows;
}
