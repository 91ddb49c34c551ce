import { createHash } from 'node:crypto';
import { originOf } from '../../model/domain/domain.ts';
import { isoTime } from '../../views/formatting.ts';
import type { Dataset } from './dataset.ts';
import type { FeedEvent } from './feed-events.ts';

/** `feed.atom`: new, gone, returned and upgraded instances. */
export const feed: Dataset = {
  name: 'feed.atom',
  schema: null,
  chunks: (_source, { events }, { contact }) => feedText(events.newest(), contact),
};

/** `updated` of a feed without entries, where Atom requires it too. */
const EPOCH = 0;

/**
 * Events as an Atom feed (RFC 4287), newest first. Ids depend only on the event and the contact.
 *
 * @param contact contact address of the crawler.
 */
export function* feedText(events: readonly FeedEvent[], contact: string): Iterable<string> {
  yield '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n';
  yield `  <id>${idOf([contact])}</id>\n`;
  yield '  <title>Loops instances: new, gone, upgraded</title>\n';
  yield `  <updated>${isoTime(events[0]?.at ?? EPOCH)}</updated>\n`;
  yield '  <author><name>Loopscout</name></author>\n';
  yield '  <generator>Loopscout</generator>\n';
  for (const event of events) yield entryText(event, contact);
  yield '</feed>\n';
}

function entryText(event: FeedEvent, contact: string): string {
  const { kind, domain, at } = event;
  return `  <entry>
    <id>${idOf([contact, kind, domain, String(at)])}</id>
    <title>${xmlText(titleOf(event))}</title>
    <updated>${isoTime(at)}</updated>
    <link rel="alternate" href="${xmlText(originOf(domain))}"/>
    <category term="${kind}"/>
    <content type="text">${xmlText(contentOf(event))}</content>
  </entry>
`;
}

function titleOf({ kind, domain, version, before, facts }: FeedEvent): string {
  switch (kind) {
    case 'new':
      return `New: ${domain}`;
    case 'back':
      return `Back: ${domain}`;
    case 'upgraded':
      return `Upgraded: ${domain}, ${before} to ${version}`;
    default:
      return `Gone: ${domain} ${whyGone(facts)}`;
  }
}

function whyGone({ state, identifiedAs }: FeedEvent['facts']): string {
  if (state === 'gone') return 'says that it is gone';
  if (state === 'dead') return 'has not answered for long';
  if (identifiedAs === 'alias') return 'redirects to another host';
  if (identifiedAs === 'other') return 'runs other software';
  return 'is no longer listed';
}

function contentOf({ domain, name, version }: FeedEvent): string {
  const runs = version === null ? 'Its version is unknown.' : `Version ${version}.`;
  return `${name ?? domain}. ${runs}`;
}

/** A version 8 UUID (RFC 9562), derived from the parts. */
function idOf(parts: readonly string[]): string {
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
