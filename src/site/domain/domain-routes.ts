import { html } from 'ghtml';
import { minuteRoundedTime } from '../../directory/minute-rounded-time.ts';
import type { Domain } from '../../model/domain/domain.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { offersOf } from '../check/check-buttons.ts';
import { renderPage } from '../layout.ts';
import { PageError } from '../page-error.ts';
import type { Site } from '../site.ts';
import type { SiteAnswer, SitePage } from '../site-page.ts';
import { domainPage } from './domain-page.ts';
import { parseEnteredDomain } from './parse-entered-domain.ts';
import { unknownOffers } from './unknown-offers.ts';

/** Number of visits shown step by step. */
const VISITS = 5;

/** Why a domain is listed or not. */
const domain: SitePage = {
  path: '/domains/{domain}',
  answer({ parameters }, context, site) {
    const text = parameters.domain ?? '';
    const parsed = parseEnteredDomain(text, context);
    if (parsed === null) throw new PageError(404, site.words.domain.search.notDomain);
    const record = context.reader.domains.find(parsed);
    if (record === null || !mayBePublished(record)) return unknownDomain(parsed, site);
    const now = minuteRoundedTime(record, context.now());
    const explanation = context.explain(parsed, { visits: VISITS, now });
    return domainPage({ explanation, ...offersOf(context) }, site);
  },
};

/** Leads from what was entered to the page of that domain, if it is known, or to the search in the directory. */
const search: SitePage = {
  path: '/domains',
  answer({ query }, context, site): SiteAnswer {
    const text = (query.get('q') ?? '').trim();
    const domain = parseEnteredDomain(text, context);
    if (domain !== null) {
      if (context.directory.snapshot().byDomain.has(domain)) return { location: site.links.instance(domain) };
      const record = context.reader.domains.find(domain);
      if (record !== null && mayBePublished(record)) return { location: site.links.domain(domain) };
    }
    return { location: site.links.directory(text === '' ? '' : String(new URLSearchParams({ q: text }))) };
  },
};

/** The same page for unknown domains, opt-outs and domains that ask not to be published, so that users cannot tell them apart. */
function unknownDomain(domain: Domain, site: Site): SiteAnswer {
  const { unknown } = site.words.domain;
  const content = html`<div class="notice">
<h1>${unknown.title}</h1>
<p>${unknown.text(domain)}</p>
<p class="actions">!${unknownOffers(domain, site)}</p>
</div>`;
  const body = renderPage({ title: unknown.title, description: unknown.title, isNoindex: true, content }, site);
  return { status: 404, body, cacheControl: 'no-store' };
}

export const domainRoutes: readonly SitePage[] = [domain, search];
