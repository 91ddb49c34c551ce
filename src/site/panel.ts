import { html } from 'ghtml';

/** A titled box. */
export function panel(id: string, title: string, content: string): string {
  return html`<section class="panel" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
!${content}
</section>`;
}
