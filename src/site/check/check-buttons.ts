import { html } from 'ghtml';
import type { Site } from '../site.ts';
import type { SiteContext } from '../site-page.ts';

/** What visitors can have done about a domain on this site. */
export interface Offers {
  /** Whether they get a report. */
  readonly canCheck: boolean;
  /** Whether they can have the crawler visit it, so that the directory shows the result. */
  readonly canRevisit: boolean;
}

export const NO_OFFERS: Offers = { canCheck: false, canRevisit: false };

export function offersOf({ check, submissions }: SiteContext): Offers {
  return { canCheck: check !== null, canRevisit: typeof submissions === 'function' };
}

export function checkButtons(domain: string, { canCheck, canRevisit }: Offers, { words, links }: Site): string {
  const { again, report } = words.check;
  const button = (href: string, label: string) =>
    html`<a class="button quiet" rel="nofollow" href="${href}">${label}</a>`;
  return [
    canRevisit ? button(links.revisit(domain), again) : '',
    canCheck ? button(links.check(domain), canRevisit ? report : again) : '',
  ].join(' ');
}
