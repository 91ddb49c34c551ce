import { html } from 'ghtml';
import type { InstanceView } from '../../directory/instance/instance-view.ts';
import type { Change } from '../../model/change.ts';
import type { Site, Words } from '../site.ts';
import { changeWords } from './change-words.ts';

/** Number of times with changes that are shown at once; earlier ones open on demand. */
const MAX_SHOWN = 8;

/** What changed, newest first, in words. */
export function changesSection({ entry, changes }: InstanceView, { words, links, mode }: Site): string {
  const { changes: text } = words.instance;
  const items = changeItems(changes, words);
  const earlier = items.slice(MAX_SHOWN);
  return html`<section class="panel" aria-labelledby="changes">
<h2 id="changes">${text.title}</h2>
!${items.length === 0 ? html`<p class="soft">${text.none}</p>` : html`<ol class="change-list">!${items.slice(0, MAX_SHOWN)}</ol>`}
!${
    earlier.length === 0
      ? ''
      : html`<details><summary>${text.more(words.format.number(earlier.length))}</summary><ol class="change-list">!${earlier}</ol></details>`
  }
<p class="more"><a href="${links.file(`instances/${entry.domain}/feed.atom`)}">${text.feed}</a>
!${mode === 'live' ? html`<a href="${links.file(`api/v1/instances/${entry.domain}/history`)}">${text.json}</a>` : ''}</p>
</section>`;
}

/** The changes of each time as a list item, newest first; those that mean nothing to readers are left out. */
export function changeItems(changes: readonly Change[], words: Words): string[] {
  const byTime = new Map<number, string[]>();
  for (const change of changes) {
    const sentences = changeWords(change, words);
    if (sentences.length > 0) byTime.set(change.at, [...(byTime.get(change.at) ?? []), ...sentences]);
  }
  return [...byTime].map(
    ([at, sentences]) =>
      html`<li><time datetime="${new Date(at).toISOString()}">${words.format.dateTime(at)}</time><ul>!${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></li>`,
  );
}
