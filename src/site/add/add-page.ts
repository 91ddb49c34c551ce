import { html } from 'ghtml';
import { contactLink } from '../about/contact-link.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';

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
