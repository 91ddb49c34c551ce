import { html } from 'ghtml';
import type { Site } from '../site.ts';

/** What visitors can do about a domain that is not known. The pages say so if this site does neither by itself. */
export function unknownOffers(domain: string, { words, links }: Site): string {
  return html`<a class="button" rel="nofollow" href="${links.form('/add', domain)}">${words.add.addDomain(domain)}</a>
<a class="button quiet" rel="nofollow" href="${links.form('/check', domain)}">${words.domain.search.check(domain)}</a>`;
}
