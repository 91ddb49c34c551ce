import { html } from 'ghtml';
import { contactLink } from '../about/contact-link.ts';
import { parseEnteredDomain } from '../domain/parse-entered-domain.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import type { SiteAnswer, SitePage } from '../site-page.ts';

interface AddView {
  /** What was entered. */
  readonly domain: string;
  /** Why nothing was added; null when nothing was asked yet. */
  readonly problem: string | null;
  /** Where to write; null when visitors can add servers here. */
  readonly contact: string | null;
}

/** The form to add a server, or whom to write to. */
export function addPage({ domain, problem, contact }: AddView, site: Site): string {
  const { add: words, check } = site.words;
  const form = html`<form class="wide-find" action="${site.links.page('/add')}" method="get">
<label for="add-domain">${words.label}</label>
<div><input id="add-domain" name="domain" value="${domain}" placeholder="${check.example}" maxlength="260" autocapitalize="none" autocomplete="off" spellcheck="false" required !${problem === null ? '' : 'aria-invalid="true" aria-describedby="add-problem"'}>
<button>${words.button}</button></div>
!${problem === null ? '' : html`<p id="add-problem" role="alert">${problem}</p>`}
</form>`;
  const content = html`<div class="hero">
<h1>${words.title}</h1>
!${contact === null ? html`<p>${words.lead}</p>` : html`<p>${words.off} !${contactLink(contact)}</p>`}
</div>
!${contact === null ? form : ''}
<p class="soft">${words.checkInstead} <a href="${site.links.page('/check')}">${check.title}</a></p>`;
  return renderPage({ title: words.title, description: words.description, isNoindex: domain !== '', content }, site);
}

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
