import { html } from 'ghtml';
import type { Domain } from '../../model/domain/domain.ts';
import { type DomainRecord, mayBePublished } from '../../model/domain-record.ts';
import { parseEnteredDomain } from '../domain/parse-entered-domain.ts';
import { unknownOffers } from '../domain/unknown-offers.ts';
import { verdictTag } from '../domain/verdict-tag.ts';
import type { Site } from '../site.ts';
import type { SiteContext } from '../site-page.ts';
import type { Place } from './choice-url.ts';

/** Known domains that match a search and are not listed. */
export interface OtherDomains {
  readonly domains: readonly DomainRecord[];
  /** Whether there are more than these. */
  readonly hasMore: boolean;
  /** The domain that was entered, if it is not known; null otherwise. */
  readonly unknown: Domain | null;
}

const MAX_FOUND = 20;

/** Null without a search. */
export function findOthers({ choice: { q }, page }: Place, context: SiteContext): OtherDomains | null {
  if (q === '' || page > 1) return null;
  const { reader, directory } = context;
  const { byDomain } = directory.snapshot();
  const beginning = q.toLowerCase().replace(/^https?:\/\//, '');
  const matches = reader.domains.startingWith(beginning, MAX_FOUND + 1);
  const entered = parseEnteredDomain(q, context);
  const record = entered === null ? null : reader.domains.find(entered);
  const isKnown = record !== null && mayBePublished(record);
  const others = matches.filter(({ domain }) => !byDomain.has(domain));
  if (isKnown && !matches.some(({ domain }) => domain === record.domain)) others.unshift(record);
  return {
    domains: others.slice(0, MAX_FOUND),
    hasMore: matches.length > MAX_FOUND,
    unknown: isKnown ? null : entered,
  };
}

/** The results of the search beside the listed servers; empty when there are none. */
export function otherDomains({ domains, hasMore, unknown }: OtherDomains, site: Site): string {
  const { search } = site.words.domain;
  return html`!${domains.length === 0 ? '' : domainTable({ domains, hasMore }, site)}
!${hasMore ? html`<p class="others-more">${search.more}</p>` : ''}
!${unknown === null ? '' : html`<p class="actions">!${unknownOffers(unknown, site)}</p>`}`;
}

function domainTable({ domains, hasMore }: Omit<OtherDomains, 'unknown'>, site: Site): string {
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
  return html`<section class="panel others" aria-labelledby="others">
<h3 id="others">${hasMore ? search.firstDomains : search.domains(domains.length, words.format.number(domains.length))}</h3>
<p class="soft">${search.lead}</p>
<div class="scroll" role="group" aria-labelledby="others" tabindex="0"><table>
<thead><tr><th scope="col">${columns.domain}</th><th scope="col">${columns.verdict}</th><th scope="col">${columns.software}</th><th scope="col">${columns.at}</th></tr></thead>
<tbody>!${rows}</tbody>
</table></div>
</section>`;
}
