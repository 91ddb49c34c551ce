import { html } from 'ghtml';
import type { OAuthError } from '../oauth/oauth-error.ts';
import { destination } from './destination.ts';
import { type FormTarget, renderForm } from './form.ts';
import { renderPage } from './page.ts';

export interface FaultyRequest {
  readonly server: string;
  readonly appName: string;
  readonly redirectUri: string;
  readonly error: OAuthError;
  readonly form: FormTarget;
}

/**
 * Says what is wrong with the request of an app, and lets the user go on to it with the error. Anybody may register an app with any
 * address, so that nobody is sent there by a link alone.
 */
export function faultyRequestPage({ server, appName, redirectUri, error, form }: FaultyRequest): string {
  const fields = '<div class="actions"><button name="action" value="return">Return to the app</button></div>';
  return renderPage({
    title: 'This request cannot go on',
    server,
    content: html`<p role="alert">${error.description}</p>
<p>For the developer of <bdi>${appName}</bdi>: <code id="error">${error.error}</code></p>
<h2>If you return to the app</h2>
<p>!${destination(redirectUri)} If you do not know it, close this page.</p>
!${renderForm(form, fields)}`,
  });
}
