import { html } from 'ghtml';
import type { ListedInstance } from '../../views/snapshot.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import { instanceCard } from './instance-card.ts';

/** One page of the directory. */
export interface DirectoryView {
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly instances: readonly ListedInstance[];
}

export function directoryPage({ total, page, pages, instances }: DirectoryView, site: Site): string {
  const { directory: words, format } = site.words;
  const content = html`<div class="hero">
<h1>${words.title}</h1>
<p>${words.lead(format.number(total))}</p>
</div>
<section aria-labelledby="instances">
<h2 id="instances" class="unseen">${words.instances}</h2>
!${
    instances.length === 0
      ? html`<p class="empty">${words.noInstances}</p>`
      : html`<ul class="cards">!${instances.map((instance) => instanceCard(instance, site))}</ul>`
  }
!${pages > 1 ? pageLinks(page, pages, site) : ''}
</section>`;
  return renderPage({ title: words.title, description: words.description, content }, site);
}

function pageLinks(page: number, pages: number, { words, links }: Site): string {
  const { pages: text } = words.directory;
  const urlOf = (number: number) => links.directory(number === 1 ? '' : `page=${number}`);
  return html`<nav class="pages" aria-label="${text.label}">
!${page > 1 ? html`<a class="button quiet" rel="prev" href="${urlOf(page - 1)}">${text.previous}</a>` : ''}
<span>${text.of(words.format.number(page), words.format.number(pages))}</span>
!${page < pages ? html`<a class="button quiet" rel="next" href="${urlOf(page + 1)}">${text.next}</a>` : ''}
</nav>`;
}
