import { html } from 'ghtml';
import type { Growth } from '../../directory/growth.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';

/** Rows of each table. */
const MAX_ROWS = 25;

/** The servers whose number of users changed most in the last 30 days. @param growth the largest first. */
export function moversPage(growth: readonly Growth[], instances: number, site: Site): string {
  const { movers: text } = site.words.stats;
  const { number } = site.words.format;
  const grown = growth.filter(({ change }) => change > 0);
  const shrunk = growth.filter(({ change }) => change < 0).reverse();
  const none = growth.length === 0 ? text.tooYoung : text.none;
  const content = html`<div class="hero">
<h1>${text.title}</h1>
<p>${text.lead}</p>
</div>
!${moversTable('grown', text.grown, grown, none, site)}
!${moversTable('shrunk', text.shrunk, shrunk, none, site)}
<p class="soft">${text.note(number(growth.length), number(instances))}</p>
<p class="more"><a href="${site.links.page('/stats')}">${text.back}</a></p>`;
  return renderPage({ title: text.title, description: text.description, section: '/stats', content }, site);
}

function moversTable(id: string, title: string, rows: readonly Growth[], none: string, { words, links }: Site): string {
  const { movers: text } = words.stats;
  const { number, signed, signedPercent } = words.format;
  const cells = rows.slice(0, MAX_ROWS).map(({ instance: { entry }, change, now }) => {
    const before = now - change;
    const share = before === 0 ? '' : signedPercent(change / before);
    return html`<tr><th scope="row"><a href="${links.instance(entry.domain)}">${entry.name ?? entry.domain}</a><span class="domain">${entry.domain}</span></th>
<td class="number" data-growth="${entry.domain}">${signed(change)}</td><td class="number">${share}</td><td class="number">${number(before)}</td><td class="number">${number(now)}</td></tr>`;
  });
  return html`<section class="panel" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
!${
    cells.length === 0
      ? html`<p class="soft">${none}</p>`
      : html`<div class="scroll" tabindex="0" role="group" aria-label="${title}"><table class="movers">
<thead><tr><th scope="col">${text.server}</th><th scope="col" class="number">${text.change}</th><th scope="col" class="number">${text.share}</th><th scope="col" class="number">${text.before}</th><th scope="col" class="number">${text.now}</th></tr></thead>
<tbody>!${cells}</tbody></table></div>`
  }
</section>`;
}
