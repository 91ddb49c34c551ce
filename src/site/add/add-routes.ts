import { parseEnteredDomain } from '../domain/parse-entered-domain.ts';
import type { SiteAnswer, SitePage } from '../site-page.ts';
import { addPage } from './add-page.ts';

/** Has the crawler visit a domain that it need not know, and shows the result on the page of the domain. */
const add: SitePage = {
  path: '/add',
  async answer({ query, isHead, isCrossSite, countAgainstLimit }, context, site): Promise<SiteAnswer> {
    const { words, links } = site;
    const { submissions: submit } = context;
    const text = (query.get('domain') ?? '').trim();
    const page = (status: number, problem: string | null, contact: string | null = null): SiteAnswer => ({
      ...{ status, cacheControl: 'no-store' },
      body: addPage({ domain: text, problem, contact }, site),
    });
    if (typeof submit !== 'function') return page(200, null, context.about().contact);
    // Neither link checkers nor pages of other sites cause visits.
    if (text === '' || isHead || isCrossSite) return page(200, null);
    const domain = parseEnteredDomain(text, context);
    if (domain === null) return page(400, words.check.notDomain);
    if ((await countAgainstLimit()) > 0) return page(429, words.add.limited);
    const answer = await submit(domain);
    switch (answer.kind) {
      case 'visited':
      case 'visiting':
      case 'recent':
        return { cacheControl: 'no-store', location: links.domain(domain) };
      case 'busy':
        return page(429, answer.why);
      case 'unvisited':
        return page(503, answer.why);
      case 'opted-out':
        return page(404, words.add.optedOut);
    }
  },
};

export const addRoutes: readonly SitePage[] = [add];
