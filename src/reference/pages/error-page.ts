import { html } from 'ghtml';
import type { OAuthError } from '../oauth/oauth-error.ts';
import { destination, type FormTarget, renderForm, renderPage } from './page.ts';

export interface Problem {
  readonly server: string;
  readonly title: string;
  /** A whole sentence. */
  readonly reason: string;
  /** The code of the error, for whoever writes the app. */
  readonly code?: string;
  /** Query of the request to start again from. */
  readonly retry?: string;
}

/** Says that the request went no further; nobody is redirected from here. */
export function errorPage({ server, title, reason, code, retry }: Problem): string {
  const codeLine = code === undefined ? '' : html`<p>For the developer of the app: <code id="error">${code}</code></p>`;
  const again = retry === undefined ? '' : html`<p><a href="/oauth/authorize?${retry}">Start again</a></p>`;
  return renderPage({ title, server, content: html`<p role="alert">${reason}</p>!${codeLine}!${again}` });
}

interface FaultyRequest {
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

/** Shows the code to a user whose app nothing can be redirected to; one click selects it whole. */
export function codePage(server: string, appName: string, code: string): string {
  return renderPage({
    title: 'Your code',
    server,
    content: html`<p><label for="code">Copy this code into <bdi>${appName}</bdi>. It holds for one use, and not for long.</label></p>
<output id="code" tabindex="0">${code}</output>`,
  });
}
