import type { DomainOptions } from '../domain/parse-domain.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import { excerpt } from './excerpt.ts';
import type { RefusedItem, SourceItem } from './source.ts';

/** The item for a text that should be a domain. */
export function readItem(line: number, text: string, options: DomainOptions): SourceItem {
  const parse = parseDomain(text, options);
  if (parse.ok) return { kind: 'domain', line, domain: parse.domain };
  return { kind: 'refused', line, text: excerpt(text), reason: parse.reason, detail: parse.detail };
}

/** The item for what does not have the form of its format. */
export function badRecord(line: number, text: string, detail: string): RefusedItem {
  return { kind: 'refused', line, text: excerpt(text), reason: 'bad-record', detail };
}
