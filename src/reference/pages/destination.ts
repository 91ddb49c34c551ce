import { html } from 'ghtml';
import { outOfBand } from '../oauth/redirect-uri.ts';

/** Where the user is taken next, as a sentence in HTML: what the app registered, so that it can be known for somebody else's. */
export function destination(redirectUri: string): string {
  if (redirectUri === outOfBand) return 'You are shown a code to copy into the app.';
  const { protocol, host } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return html`You are sent to the app on your device that opens <strong>${protocol}</strong> links.`;
  }
  return html`You are sent to <strong>${host}</strong>.`;
}
