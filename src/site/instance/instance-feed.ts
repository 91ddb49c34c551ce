import { atomId, atomText } from '../../directory/atom.ts';
import { eventsOf, type InstanceEvent } from '../../directory/instance/events.ts';
import type { Conclusive } from '../../model/domain-record.ts';
import type { NumberedChange } from '../../store/history/changes.ts';
import type { Words } from '../site.ts';

/**
 * What happened to an instance, as an Atom feed, newest first.
 *
 * @param changes newest first.
 * @param page URL of the page of the instance.
 */
export function instanceFeed(
  {
    domain,
    name,
    identifiedAs,
    changes,
    page,
  }: {
    domain: string;
    name: string | null;
    identifiedAs: Conclusive | null;
    changes: readonly NumberedChange[];
    page: string;
  },
  words: Words,
): string {
  const events = eventsOf(changes, identifiedAs);
  const { feed: text } = words.instance;
  const feed = atomText({
    id: atomId(['instance', domain]),
    title: text.title(name ?? domain),
    alternate: page,
    updated: events[0]?.at ?? null,
    entries: events.map((event) => ({
      id: atomId(['instance', domain, event.kind, String(event.at)]),
      title: titleOf(event, domain, words),
      at: event.at,
      link: page,
      category: event.kind,
      content: contentOf(event, words),
    })),
  });
  return [...feed].join('');
}

function titleOf({ kind, to }: InstanceEvent, domain: string, { instance }: Words): string {
  const { feed: text } = instance;
  return kind === 'upgraded' || kind === 'changed' ? text[kind](domain, to ?? '') : text[kind](domain);
}

function contentOf({ kind, from, to, why }: InstanceEvent, { instance }: Words): string {
  const { feed: text } = instance;
  if (kind === 'upgraded' || kind === 'changed') return text.versions(from ?? '', to ?? '');
  if (kind === 'listed' && why === null) return instance.changes.identified;
  return why === null || why === '' ? text.noReason : `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}
