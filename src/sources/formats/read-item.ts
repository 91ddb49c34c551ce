import { type DomainOptions, parseDomain } from '../../model/domain/parse-domain.ts';
import type { Line } from '../regular-file.ts';
import type { RefusedItem, SourceItem } from '../source.ts';

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

/** What the entries of a file of objects or rows hold. */
export interface FileEntries {
  /** Where one holds the domain: a key, or the name of a column. */
  readonly key: string;
  /** Where one says what runs there: keys with dots between them, or the name of a column. */
  readonly softwareKey?: string | undefined;
  /** What runs where none says it. */
  readonly software?: string | undefined;
}

const maxLength = 200;
/** Of a name that is cut off it can no longer be told whether its owner has opted out. */
const CUT_NAME = /[^\s,;|]*$/;

/**
 * A stranger's text made fit to show in a report: at most 200 characters, without control, format and bidirectional
 * characters (Unicode Cc, Cf, Zl, Zp) or lone surrogates, each of which becomes U+FFFD.
 */
export function excerpt(text: string): string {
  const shown = text.slice(0, maxLength + 1).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd');
  if (shown.length <= maxLength) return shown;
  const start = shown.slice(0, maxLength - 1);
  const whole = start.replace(CUT_NAME, '');
  return `${whole === '' ? start : whole}…`.toWellFormed();
}

/** A value of unknown shape, made fit to show. */
export function outlined(value: unknown): string {
  return excerpt(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'));
}

/**
 * Text, with what is said to run on all of its domains: one domain or URL a line. A `#` begins a comment where it begins the line or follows white space; elsewhere it
 * is the fragment of a URL.
 */
export async function* textItems(
  lines: AsyncIterable<Line>,
  options: DomainOptions,
  software?: string,
): AsyncGenerator<SourceItem> {
  for await (const { number, text } of lines) {
    const written = withoutComment(text);
    yield written === '' ? { kind: 'blank', line: number } : readItem(number, written, options, software);
  }
}

/** What a line says, without its comment and the white space around. */
export function withoutComment(text: string): string {
  const comment = text.search(/(?:^|\s)#/);
  return (comment === -1 ? text : text.slice(0, comment)).trim();
}
