import { html } from 'ghtml';
import type { ListedInstance } from '../../views/snapshot.ts';
import type { Site } from '../site.ts';

/** One instance as a list item. */
export function instanceCard({ entry, counts }: ListedInstance, { words, links }: Site): string {
  const { directory, frame, format } = words;
  const { domain, name, description, version, uptime, registration, status, firstSeen } = entry;
  const open = registration.open === null ? 'unknown' : registration.open ? 'open' : 'closed';
  const count = (value: number | null) => (value === null ? frame.unknown : format.compact(value));
  return html`<li class="card">
<h3><a href="${links.instance(domain)}">${name ?? directory.nameless}</a></h3>
<p class="domain">${domain}</p>
<p class="tags"><span class="tag ${open}">${directory.registration[open]}</span>
!${status === 'down' ? html`<span class="tag down">${directory.down}</span>` : ''}
!${version === null ? '' : html`<span class="tag">${directory.version(version)}</span>`}</p>
<p class="text">${description ?? ''}</p>
<dl class="figures">
<div><dt>${directory.users}</dt><dd>${count(counts.users)}</dd></div>
<div><dt>${directory.posts}</dt><dd>${count(counts.posts)}</dd></div>
<div><dt>${directory.uptime}</dt><dd>${uptime.month === null ? frame.unknown : format.percent(uptime.month)}</dd></div>
</dl>
<p class="soft">${directory.since(format.date(firstSeen))}</p>
</li>
`;
}
