import { html } from 'ghtml';

/** A link to the contact, which is an https URL or a mail address. */
export function contactLink(contact: string): string {
  if (/^https:\/\//i.test(contact)) return html`<a href="${contact}" rel="nofollow">${contact}</a>`;
  const address = contact.replace(/^mailto:/i, '');
  return html`<a href="mailto:${address}">${address}</a>`;
}
