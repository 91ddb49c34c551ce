import { html } from 'ghtml';
import { minuteRoundedTime } from '../../directory/minute-rounded-time.ts';
import { toSearchText } from '../../directory/snapshot.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { offersOf } from '../check/check-buttons.ts';
import { renderPage } from '../layout.ts';
import { PageError } from '../page-error.ts';
import type { Site } from '../site.ts';
import type { SiteAnswer, SitePage } from '../site-page.ts';
import { domainPage } from './domain-page.ts';
import { parseEnteredDomain } from './parse-entered-domain.ts';
import { searchPage } from './search-page.ts';
import { unknownOffers } from './unknown-offers.ts';

/** Number of visits shown step by step. */
const VISITS = 5;
const MAX_QUERY = 260;
/** Maximum number of instances shown, and of other domains. */
const MAX_FOUND = 50;

/** Why a domain is listed or not. */
const domain: SitePage = {
  path: '/domains/{domain}',
  answer({ parameters }, context, site) {
    const text = parameters.domain ?? '';
    const parsed = parseEnteredDomain(text, context);
    if (parsed === null) throw new PageError(404, site.words.domain.search.notDomain);
    const record = context.reader.find(parsed);
    if (record === null || !mayBePublished(record)) return unknownDomain(parsed, site);
    const now = minuteRoundedTime(record, context.now());
    const explanation = context.explain(parsed, { visits: VISITS, now });
    return domainPage({ explanation, ...offersOf(context) }, site);
  },
};

/** Searches the known domains. Redirects to the page of the domain that was entered, or of the only instance found. */
const search: SitePage = {
  path: '/domains',
  answer({ query: parameters }, context, site): string | SiteAnswer {
    const query = (parameters.get('q') ?? '').trim().slice(0, MAX_QUERY);
    const view = { query, instances: [], domains: [], hasMore: false, unknown: null };
    if (query === '') return searchPage(view, site);
    const { reader, directory } = context;
    const parsed = parseEnteredDomain(query, context);
    if (parsed !== null) {
      if (directory.snapshot().byDomain.has(parsed)) return { location: site.links.instance(parsed) };
      const record = reader.find(parsed);
      if (record !== null && mayBePublished(record)) return { location: site.links.domain(parsed) };
    }
    const wanted = toSearchText(query);
    const instances = directory.snapshot().instances.filter(({ searchText }) => searchText.includes(wanted));
    const beginning = query.toLowerCase().replace(/^https?:\/\//, '');
    const matches = reader.domainsStartingWith(beginning, MAX_FOUND + 1);
    const hasMore = instances.length > MAX_FOUND || matches.length > MAX_FOUND;
    const domains = matches.filter(({ domain }) => !directory.snapshot().byDomain.has(domain));
    const [first] = instances;
    if (first !== undefined && !hasMore && instances.length + domains.length === 1)
      return { location: site.links.instance(first.entry.domain) };
    return searchPage(
      {
        query,
        instances: instances.slice(0, MAX_FOUND),
        domains: domains.slice(0, MAX_FOUND),
        hasMore,
        unknown: parsed,
      },
      site,
    );
  },
};

/** The same page for unknown domains, opt-outs and domains that ask not to be published, so that users cannot tell them apart. */
function unknownDomain(domain: Domain, site: Site): SiteAnswer {
  const { unknown } = site.words.domain;
  const content = html`<div class="notice">
<h1>${unknown.title}</h1>
<p>${unknown.text(domain)}</p>
<p class="actions">!${unknownOffers(domain, site)}
<a class="button quiet" href="${site.links.search()}">${unknown.other}</a></p>
</div>`;
  const body = renderPage({ title: unknown.title, description: unknown.title, isNoindex: true, content }, site);
  return { status: 404, body, cacheControl: 'no-store' };
}

export const domainRoutes: readonly SitePage[] = [domain, search];
