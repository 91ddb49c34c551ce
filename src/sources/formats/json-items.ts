import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import type { SourceItem } from '../source.ts';
import type { SourceError } from '../source-error.ts';
import { JsonError } from './json-grammar.ts';
import { badRecord, type FileEntries, readItem } from './read-item.ts';
import { type JsonFindings, selectJson } from './select-json.ts';

export interface JsonItemsOptions extends FileEntries {
  domains: DomainOptions;
  fail: (problem: string, cure: string) => SourceError;
  /** Where the text stops being JSON, in words, when that can be told. */
  place: () => Promise<string | null>;
}

/**
 * JSON: a list of strings, or of objects that hold the domain under `key`, mixed as they come; read as it comes.
 * @returns why it broke off half-way, or null
 * @throws what `fail` makes, when it is no list, or not JSON from the start
 */
export async function* jsonItems(
  chunks: AsyncIterable<Uint8Array>,
  { key, softwareKey, software, domains, fail, place }: JsonItemsOptions,
): AsyncGenerator<SourceItem, string | null> {
  const findings: JsonFindings = { values: [], hasList: false, outline: 'nothing' };
  const softwarePath = softwareKey?.split('.');
  let line = 0;
  try {
    for await (const entry of selectJson(chunks, { entries: ['*'] }, findings)) {
      line += 1;
      const said = softwarePath === undefined ? undefined : ownValue(entry, softwarePath);
      const written = typeof entry === 'object' && !Array.isArray(entry) ? ownValue(entry, [key]) : entry;
      yield typeof written === 'string'
        ? readItem(line, written, domains, said ?? software)
        : badRecord(
            line,
            JSON.stringify(outline(entry, SHOWN_LEVELS)),
            `neither a string nor an object with a string under "${key}"`,
          );
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const expected = await place();
    const problem = `is not valid JSON: ${expected ?? error.message}`;
    if (line > 0) return problem;
    throw fail(problem, 'correct it, or name its "format"');
  }
  if (findings.hasList) return null;
  throw fail(
    `holds ${findings.outline}, not a list`,
    `give a list of strings, or of objects with the domain under "${key}" ("key" in the settings)`,
  );
}

const SHOWN_LEVELS = 3;

/** An entry to show, with nothing in what lies deeper than `levels`. */
function outline(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => outline(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, outline(item, levels - 1)]));
}

/** What a value of unknown shape holds at these keys, one inside the other; undefined where one is missing. No keys: the value. */
export function ownValue(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}
