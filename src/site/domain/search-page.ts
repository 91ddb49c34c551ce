import { html } from 'ghtml';
import type { ListedInstance } from '../../directory/snapshot.ts';
import type { Domain } from '../../model/domain/domain.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import { unknownOffers } from './unknown-offers.ts';
import { verdictTag } from './verdict-tag.ts';

export interface SearchView {
  /** As typed. */
  readonly query: string;
  readonly instances: readonly ListedInstance[];
  readonly domains: readonly DomainRecord[];
  /** Whether there are more results than these. */
  readonly hasMore: boolean;
  /** The domain that the user typed, if it is not known; null otherwise. */
  readonly unknown: Domain | null;
}

/** The results of a search over all known domains. */
export function searchPage({ query, instances, domains, hasMore, unknown }: SearchView, site: Site): string {
  const { words, links } = site;
  const { search } = words.domain;
  const isEmpty = instances.length + domains.length === 0;
  const content = html`<div class="hero">
<h1>${search.title}</h1>
<p>${search.lead}</p>
</div>
<form class="wide-find" action="${links.search()}" method="get">
<label for="query">${search.label}</label>
<div><input id="query" name="q" type="search" value="${query}" maxlength="260" autocapitalize="none" spellcheck="false" required>
<button>${search.button}</button></div>
</form>
!${instances.length === 0 ? '' : instanceList(instances, site)}
!${domains.length === 0 ? '' : domainTable(domains, site)}
!${hasMore ? html`<p>${search.more}</p>` : ''}
!${query !== '' && isEmpty ? html`<div class="empty"><p>${search.nothing(query)}</p><p>${search.nothingAdvice}</p></div>` : ''}
!${unknown === null ? '' : html`<p class="actions">!${unknownOffers(unknown, site)}</p>`}`;
  return renderPage({ title: search.title, description: search.description, isNoindex: query !== '', content }, site);
}

function instanceList(instances: readonly ListedInstance[], { words, links }: Site): string {
  const { search } = words.domain;
  const items = instances.map(
    ({ entry: { domain, name } }) =>
      html`<li><a href="${links.instance(domain)}">${domain}</a> <span class="soft">${name ?? ''}</span></li>`,
  );
  return html`<section class="panel" aria-labelledby="instances">
<h2 id="instances">${search.instances(instances.length, words.format.number(instances.length))}</h2>
<ul class="found">!${items}</ul>
</section>`;
}

function domainTable(domains: readonly DomainRecord[], site: Site): string {
  const { words, links } = site;
  const { search, never } = words.domain;
  const rows = domains.map(
    ({ domain, verdict, software, version, lastVisit }) =>
      html`<tr><th scope="row"><a href="${links.domain(domain)}">${domain}</a></th>
<td>!${verdict === null ? '' : verdictTag(verdict, site)}</td>
<td>${[software, version].filter((part) => part !== null).join(' ')}</td>
<td>${lastVisit === null ? never : words.format.date(lastVisit)}</td></tr>`,
  );
  const { columns } = search;
  return html`<section class="panel" aria-labelledby="domains">
<h2 id="domains">${search.domains(domains.length, words.format.number(domains.length))}</h2>
<div class="scroll"><table>
<thead><tr><th scope="col">${columns.domain}</th><th scope="col">${columns.verdict}</th><th scope="col">${columns.software}</th><th scope="col">${columns.at}</th></tr></thead>
<tbody>!${rows}</tbody>
</table></div>
</section>`;
}
