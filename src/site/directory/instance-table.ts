import { html } from 'ghtml';
import type { Site } from '../site.ts';
import { downTag, type InstanceWithValues, registrationTag, versionTag } from './instance-card.ts';

/** The instances as rows. */
export function instanceTable(instances: readonly InstanceWithValues[], site: Site): string {
  const { table } = site.words.directory;
  const numbers = [table.users, table.posts, table.uptime];
  return html`<div class="scroll" role="region" aria-label="${table.caption}" tabindex="0">
<table class="instances">
<caption class="unseen">${table.caption}</caption>
<thead><tr><th scope="col">${table.instance}</th><th scope="col">${table.registration}</th><th scope="col">${table.version}</th>!${numbers.map(
    (label) => html`<th scope="col" class="number">${label}</th>`,
  )}<th scope="col">${table.since}</th></tr></thead>
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
<th scope="row"><a href="${links.instance(entry.domain)}">${entry.name ?? card.nameless}</a><span class="domain">${entry.domain}!${
    entry.status === 'down' ? downTag(entry, words) : ''
  }</span></th>
<td>!${registrationTag(entry, filterValues, words)}</td><td>!${versionTag(filterValues, words)}</td>
!${number(counts.users, format.number)}!${number(counts.posts, format.number)}!${number(entry.uptime.month, format.percent)}
<td>${format.date(entry.firstSeen)}</td>
</tr>
`;
}
