import { html } from 'ghtml';
import { renderPage } from './layout.ts';
import type { Site } from './site.ts';

export interface PageProblem {
  /** HTTP status. */
  readonly status: number;
  /** What is wrong with this request, as a sentence; null shows only the advice for the status. */
  readonly detail: string | null;
}

export function errorPage({ status, detail }: PageProblem, site: Site): string {
  const { errors } = site.words;
  const { title, advice } = errors.byStatus[status] ?? errors.other;
  return renderPage(
    {
      title,
      description: title,
      isNoindex: true,
      content: html`<div class="notice">
<p class="code">${status}</p>
<h1>${title}</h1>
!${detail === null ? '' : html`<p>${detail}</p>`}
<p>${advice}</p>
<p><a class="button" href="${site.links.directory()}">${errors.toDirectory}</a></p>
</div>`,
    },
    site,
  );
}

/** A page that cannot be shown, with the reason as a sentence for the user. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly status: 400 | 404 | 429 | 503;

  constructor(status: PageError['status'], message: string) {
    super(message);
    this.status = status;
  }
}
