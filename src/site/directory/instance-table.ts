import { html } from 'ghtml';
import type { Site } from '../site.ts';
import { type Place, urlOf } from './choice-url.ts';
import { downTag, type InstanceWithValues, notedTag, registrationTag, versionTag } from './instance-card.ts';

/** The columns with the order that their heads lead to, each with the largest, newest or first on top, and whether they are numbers. */
export const COLUMNS = [
  ['instance', 'name', false],
  ['registration', null, false],
  ['version', 'version', false],
  ['users', 'users', true],
  ['growth', 'growth', true],
  ['posts', 'posts', true],
  ['uptime', 'uptime', true],
  ['size', 'size', true],
  ['length', 'length', true],
  ['since', 'newest', false],
] as const;

/** The instances as rows, with heads that sort. */
export function instanceTable(instances: readonly InstanceWithValues[], place: Place, site: Site): string {
  const { table } = site.words.directory;
  const heads = COLUMNS.map(([column, order, isNumber]) => {
    const url = order === null ? '' : urlOf({ ...place, choice: { ...place.choice, order }, page: 1 }, site.links);
    const text =
      order === null ? html`${table[column]}` : html`<a href="${url}" data-order="${order}">${table[column]}</a>`;
    const sorted = order === place.choice.order ? (order === 'name' ? 'ascending' : 'descending') : 'none';
    return html`<th scope="col" !${isNumber ? 'class="number"' : ''} !${order === null ? '' : html`aria-sort="${sorted}"`}>!${text}</th>`;
  });
  return html`<div class="scroll" role="region" aria-label="${table.caption}" tabindex="0">
<table class="instances">
<caption class="unseen">${table.caption}</caption>
<thead><tr>!${heads}</tr></thead>
<tbody>!${instances.map((one) => instanceRow(one, site))}</tbody>
</table>
</div>`;
}

function instanceRow(
  { instance: { entry, counts }, filterValues }: InstanceWithValues,
  { words, links }: Site,
): string {
  const { card } = words.directory;
  const { format } = words;
  const number = (value: number | null, text: (value: number) => string) =>
    html`<td class="number">!${value === null ? html`<span class="soft">${card.unknown}</span>` : html`${text(value)}`}</td>`;
  return html`<tr>
<th scope="row"><a href="${links.instance(entry.domain)}">${entry.name ?? entry.domain}</a><span class="domain">${entry.name === null ? card.nameless : entry.domain}!${
    entry.status === 'down' ? downTag(entry, words) : ''
  }</span></th>
<td>!${notedTag(registrationTag(entry, filterValues, words))}</td><td>!${notedTag(versionTag(filterValues, words))}</td>
!${number(counts.users, format.number)}!${number(entry.growth, format.signed)}!${number(counts.posts, format.number)}!${number(entry.uptime.month, format.percent)}
!${number(entry.limits.maxVideoSizeMB, format.megabytes)}!${number(entry.limits.maxVideoDurationSeconds, format.duration)}
<td>${format.date(entry.firstSeen)}</td>
</tr>
`;
}
