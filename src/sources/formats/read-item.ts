import { type DomainOptions, type DomainParse, parseDomain } from '../../model/domain/parse-domain.ts';
import type { RefusedItem, SourceItem } from '../source.ts';
import type { Line } from './lines.ts';
import { linkedTexts } from './linked-hosts.ts';

const maxSoftwareLength = 64;

/** Parses a text, or the link that it contains, as a domain, with its reported software if that is a text of at most 64 characters. */
export function readItem(line: number, text: string, options: DomainOptions, software?: unknown): SourceItem {
  const parse = parseLinked(text, options);
  if (parse.ok) return { kind: 'domain', line, domain: parse.domain, software: softwareName(software) };
  return { kind: 'refused', line, text: excerpt(text), reason: parse.reason, detail: parse.detail };
}

/** Longer texts are refused anyway. */
const MAX_LINKED_LENGTH = 4_096;

function parseLinked(text: string, options: DomainOptions): DomainParse {
  const [first = '', ...others] = text.length > MAX_LINKED_LENGTH ? [text] : linkedTexts(text);
  const parse = parseDomain(first, options);
  const isOther = (part: string) => {
    const other = parseDomain(part, options);
    return other.ok && !(parse.ok && parse.domain === other.domain);
  };
  if (!others.some(isOther)) return parse;
  return { ok: false, reason: 'two-hosts', detail: 'more than one host; write one per line' };
}

function softwareName(reported: unknown): string | null {
  if (typeof reported !== 'string' || reported.length > maxSoftwareLength) return null;
  const name = excerpt(reported.trim().toLowerCase());
  return name === '' ? null : name;
}

export function badRecord(line: number, text: string, detail: string): RefusedItem {
  return { kind: 'refused', line, text: excerpt(text), reason: 'bad-record', detail };
}

/** Where entries of a JSON or CSV file contain their fields. */
export interface FileEntries {
  readonly key: string;
  /** Dotted path or column of the software. */
  readonly softwareKey?: string | undefined;
  readonly software?: string | undefined;
}

const maxLength = 200;
/** A truncated name is removed after other words, because it can no longer be matched against the opt-outs. */
const TRUNCATED_NAME = /[^\s,;|]*$/;

/**
 * Makes untrusted text safe to display: at most 200 characters, without control, format and bidirectional
 * characters (Unicode Cc, Cf, Zl, Zp) or lone surrogates, each of which becomes U+FFFD.
 */
export function excerpt(text: string): string {
  const shown = text.slice(0, maxLength + 1).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd');
  if (shown.length <= maxLength) return shown;
  const start = shown.slice(0, maxLength - 1);
  const whole = start.replace(TRUNCATED_NAME, '');
  return `${whole === '' ? start : whole}…`.toWellFormed();
}

/** Makes an untrusted value safe to display. */
export function displayValue(value: unknown): string {
  return excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}

/**
 * Reads a text file with one domain or URL per line; `software` applies to all. A `#` at the start of a line or after white space begins a
 * comment; elsewhere it is part of a URL.
 */
export async function* textItems(
  lines: AsyncIterable<Line>,
  options: DomainOptions,
  software?: string,
): AsyncGenerator<SourceItem> {
  for await (const { number, text } of lines) {
    const content = withoutComment(text);
    yield content === '' ? { kind: 'blank', line: number } : readItem(number, content, options, software);
  }
}

/** A line without its comment and surrounding white space. */
export function withoutComment(text: string): string {
  const comment = text.search(/(?:^|\s)#/);
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}

/** The value at a path of own keys; undefined where one is missing. An empty path returns the value itself. */
export function ownValue(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at;
}
