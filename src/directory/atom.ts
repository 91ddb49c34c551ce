import { createHash } from 'node:crypto';
import { type EpochMs, isoTime } from '../model/time.ts';

/** An Atom feed (RFC 4287). */
export interface AtomFeed {
  readonly id: string;
  readonly title: string;
  /** URL of the page that the feed belongs to. */
  readonly alternate?: string;
  /** Newest first. */
  readonly entries: Iterable<AtomEntry>;
  /** Time of the newest entry. Null when there is none. */
  readonly updated: EpochMs | null;
}

export interface AtomEntry {
  readonly id: string;
  readonly title: string;
  readonly at: EpochMs;
  readonly link: string;
  readonly category: string;
  readonly content: string;
}

/** `updated` of a feed without entries: Atom requires the element in every feed. */
const EPOCH = 0;

/** The feed as XML, in parts. */
export function* atomText({ id, title, alternate, entries, updated }: AtomFeed): Iterable<string> {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n';
  yield `  <id>${id}</id>\n`;
  yield `  <title>${xmlText(title)}</title>\n`;
  yield `  <updated>${isoTime(updated ?? EPOCH)}</updated>\n`;
  if (alternate !== undefined) yield `  <link rel="alternate" href="${xmlText(alternate)}"/>\n`;
  yield '  <author><name>Loopscout</name></author>\n';
  yield '  <generator>Loopscout</generator>\n';
  for (const entry of entries) yield entryText(entry);
  yield '</feed>\n';
}

function entryText({ id, title, at, link, category, content }: AtomEntry): string {
  return `  <entry>
    <id>${id}</id>
    <title>${xmlText(title)}</title>
    <updated>${isoTime(at)}</updated>
    <link rel="alternate" href="${xmlText(link)}"/>
    <category term="${category}"/>
    <content type="text">${xmlText(content)}</content>
  </entry>
`;
}

/** An id derived from the parts: a UUID (RFC 9562), with the bits that mark version 8 and its variant. */
export function atomId(parts: readonly string[]): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(['loopscout', ...parts]))
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `urn:uuid:${groups.join('-')}`;
}

/** Characters that XML 1.0 (section 2.2) cannot represent, including lone surrogates. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for XML content and attributes. Characters that XML cannot represent become U+FFFD. */
function xmlText(text: string): string {
  return text.replace(NOT_IN_XML, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
