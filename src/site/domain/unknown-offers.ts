import { html } from 'ghtml';
import type { Site } from '../site.ts';

/** What visitors can have done about a domain that is not known: added, if submissions are on, and checked. */
export function unknownOffers(domain: string, canCheck: boolean, canAdd: boolean, { words, links }: Site): string {
  return [
    canAdd
      ? html`<a class="button" rel="nofollow" href="${links.desk('/add', domain)}">${words.add.addDomain(domain)}</a>`
      : '',
    canCheck
      ? html`<a class="button quiet" rel="nofollow" href="${links.check(domain)}">${words.domain.search.check(domain)}</a>`
      : '',
  ].join(' ');
}
