import { atomId, atomText } from '../../directory/atom.ts';
import { originOf } from '../../model/domain/domain.ts';
import { single } from './dataset.ts';
import type { FeedEvent } from './feed-events.ts';

/** `feed.atom`: new, gone, returned and upgraded instances. */
export const feed = single(
  { name: 'feed.atom', about: 'New, gone, returned and upgraded instances, as an Atom feed.', schema: null },
  (_source, { events }, { publication }) => feedText(events.newest(), publication.contact),
);

/**
 * Events as an Atom feed (RFC 4287), newest first. Ids depend only on the event and the contact.
 *
 * @param contact contact address of the crawler.
 */
export function feedText(events: readonly FeedEvent[], contact: string): Iterable<string> {
  return atomText({
    id: atomId([contact]),
    title: 'Loops instances: new, gone, upgraded',
    updated: events[0]?.at ?? null,
    entries: events.map((event) => ({
      id: atomId([contact, event.kind, event.domain, String(event.at)]),
      title: titleOf(event),
      at: event.at,
      link: originOf(event.domain),
      category: event.kind,
      content: contentOf(event),
    })),
  });
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
  if (state === 'dead') return 'has not answered for a long time';
  if (identifiedAs === 'alias') return 'redirects to another host';
  if (identifiedAs === 'other') return 'runs other software';
  return 'is no longer listed';
}

function contentOf({ domain, name, version }: FeedEvent): string {
  const runs = version === null ? 'Its version is unknown.' : `Version ${version}.`;
  return `${name ?? domain}. ${runs}`;
}
