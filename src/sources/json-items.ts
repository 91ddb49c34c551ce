import type { DomainOptions } from '../domain/parse-domain.ts';
import { jsonFault } from './json-fault.ts';
import { badRecord, readItem } from './read-item.ts';
import type { SourceItem } from './source.ts';
import type { SourceError } from './source-error.ts';

/**
 * JSON: a list of strings, or of objects that hold the domain under `key`, mixed as they come.
 * @throws what `fail` makes, when the text is not JSON or not a list
 */
export function* jsonItems(
  text: string,
  key: string,
  options: DomainOptions,
  fail: (problem: string, cure: string) => SourceError,
): Generator<SourceItem> {
  for (const [index, entry] of parseList(text, key, fail).entries()) {
    const written = isRecord(entry) ? entry[key] : entry;
    yield typeof written === 'string'
      ? readItem(index + 1, written, options)
      : badRecord(
          index + 1,
          JSON.stringify(outline(entry, SHOWN_LEVELS)),
          `neither a string nor an object with a string under "${key}"`,
        );
  }
}

const SHOWN_LEVELS = 3;

/**
 * An entry to show, with nothing in what lies deeper than `levels`: JSON.stringify recurses, and a file may nest deeper
 * than the stack reaches.
 */
function outline(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => outline(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, outline(item, levels - 1)]));
}

function parseList(text: string, key: string, fail: (problem: string, cure: string) => SourceError): unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    const fault = jsonFault(text);
    const place = fault === null ? '' : `: expected ${fault.expected} at line ${fault.line}, column ${fault.column}`;
    throw fail(`is not valid JSON${place}`, 'correct it, or name its "format"');
  }
  if (Array.isArray(parsed)) return parsed;
  const found = isRecord(parsed) ? `an object with the keys ${quoted(Object.keys(parsed))}` : JSON.stringify(parsed);
  throw fail(
    `holds ${found.slice(0, 200)}, not a list`,
    `give a list of strings, or of objects with the domain under "${key}" ("key" in the settings)`,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ') || '(none)';
}
