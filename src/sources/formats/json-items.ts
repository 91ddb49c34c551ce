import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import type { SourceError, SourceItem } from '../source.ts';
import { JsonError } from './json-grammar.ts';
import { badRecord, type FileEntries, ownValue, readItem } from './read-item.ts';
import { type JsonFindings, selectJson } from './select-json.ts';
import { toUtf8 } from './utf8.ts';

export interface JsonItemsOptions extends FileEntries {
  domains: DomainOptions;
  fail: (problem: string, cure: string) => SourceError;
  /** Describes the first syntax error, if possible. */
  locateError: () => Promise<string | null>;
}

/**
 * Streams a JSON list of strings, or of objects with the domain under `key`, in any mix.
 *
 * @returns why the list ended early, or null.
 * @throws the error from `fail` when the text is not a list, or is invalid before the end of the first entry.
 */
export async function* jsonItems(
  chunks: AsyncIterable<Uint8Array>,
  { key, softwareKey, software, domains, fail, locateError }: JsonItemsOptions,
): AsyncGenerator<SourceItem, string | null> {
  const findings: JsonFindings = { values: [], nextPage: null, hasList: false, rootDescription: 'nothing' };
  const softwarePath = softwareKey?.split('.');
  let position = 0;
  try {
    for await (const entry of selectJson(toUtf8(chunks), { entries: ['*'] }, findings)) {
      position += 1;
      const ownSoftware = softwarePath === undefined ? undefined : ownValue(entry, softwarePath);
      const domain = typeof entry === 'object' && !Array.isArray(entry) ? ownValue(entry, [key]) : entry;
      yield typeof domain === 'string'
        ? readItem(position, domain, domains, ownSoftware ?? software)
        : badRecord(
            position,
            JSON.stringify(limitLevels(entry, SHOWN_LEVELS)),
            `neither a string nor an object with a string under "${key}"`,
          );
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const located = await locateError();
    const problem = `is not valid JSON: ${located ?? error.message}`;
    if (position > 0) return problem;
    throw fail(problem, 'correct it, or name its "format"');
  }
  if (findings.hasList) return null;
  throw fail(
    `holds ${findings.rootDescription}, not a list`,
    `give a list of strings, or of objects with the domain under "${key}" ("key" in the settings)`,
  );
}

const SHOWN_LEVELS = 3;

/** A copy of a value without anything nested deeper than `levels`. */
function limitLevels(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => limitLevels(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, limitLevels(item, levels - 1)]));
}
