import type { DomainOptions } from '../domain/parse-domain.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import { excerpt } from './excerpt.ts';
import type { RefusedItem, SourceItem } from './source.ts';

const maxSoftwareLength = 64;

/** The item for a text that should be a domain, and for what is said to run there, if that is a name. */
export function readItem(line: number, text: string, options: DomainOptions, software?: unknown): SourceItem {
  const parse = parseDomain(text, options);
  if (parse.ok) return { kind: 'domain', line, domain: parse.domain, software: softwareName(software) };
  return { kind: 'refused', line, text: excerpt(text), reason: parse.reason, detail: parse.detail };
}

function softwareName(said: unknown): string | null {
  if (typeof said !== 'string' || said.length > maxSoftwareLength) return null;
  const name = excerpt(said.trim().toLowerCase());
  return name === '' ? null : name;
}

/** The item for what does not have the form of its format. */
export function badRecord(line: number, text: string, detail: string): RefusedItem {
  return { kind: 'refused', line, text: excerpt(text), reason: 'bad-record', detail };
}
