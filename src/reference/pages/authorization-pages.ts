import { html } from 'ghtml';
import type { OAuthError } from '../oauth/oauth-error.ts';
import { destination, type FormTarget, renderForm, renderPage } from './page.ts';

export interface Consent {
  readonly server: string;
  readonly app: { readonly name: string; readonly website: string };
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly account: { readonly name: string; readonly username: string };
  readonly form: FormTarget;
}

/** What each scope allows, in plain words. */
export const scopeWords: Readonly<Record<string, string>> = {
  read: 'Read your account and your videos',
  write: 'Post, change and delete things in your name',
  follow: 'Follow and unfollow accounts in your name',
};

/** Asks the user whether the app may do what it asks for. */
export function consentPage({ server, app, redirectUri, scopes, account, form }: Consent): string {
  const items = scopes.map((scope) => html`<li>${scopeWords[scope] ?? scope} (<code>${scope}</code>)</li>`);
  const fields = `<div class="actions">
<button name="action" value="approve">Approve</button>
<button class="second" name="action" value="deny">Deny</button>
<button class="link" name="action" value="sign-out">Use another account</button>
</div>`;
  return renderPage({
    title: `Let ${app.name} use your account?`,
    heading: html`Let <bdi>${app.name}</bdi> use your account?`,
    server,
    content: html`<p>You are signed in as <strong><bdi>${account.name}</bdi></strong> (<bdi>@${account.username}</bdi>).</p>
<h2>The app</h2>
<p><bdi>${app.name}</bdi></p>
!${websiteOf(app.website)}
<h2>It wants to</h2>
<ul>!${items.join('')}</ul>
<h2>Afterwards</h2>
<p>!${destination(redirectUri)}</p>
!${renderForm(form, fields)}`,
  });
}

/** A link only when it is one of the web: nothing that runs. */
function websiteOf(website: string): string {
  if (website === '') return '';
  if (!/^https?:\/\//i.test(website)) return html`<p><bdi>${website}</bdi></p>`;
  return html`<p><a href="${website}" rel="noopener noreferrer nofollow">${website}</a></p>`;
}

interface SignIn {
  readonly server: string;
  readonly appName: string;
  readonly form: FormTarget;
  /** What was entered before; empty at first. */
  readonly username: string;
  /** Whether a sign-in failed. */
  readonly hasFailed: boolean;
}

/** Asks who the user is. A failure does not say whether the name or the password was wrong. */
export function signInPage({ server, appName, form, username, hasFailed }: SignIn): string {
  const error = hasFailed
    ? html`<p class="error" id="sign-in-error" role="alert">The username or the password is wrong. Try again.</p>`
    : '';
  const marks = hasFailed ? 'aria-invalid="true" aria-describedby="sign-in-error"' : '';
  const fields = html`<label for="username">Username</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false"
  required !${marks}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required !${marks}>
<div class="actions"><button name="action" value="sign-in">Sign in</button></div>`;
  return renderPage({
    title: 'Sign in',
    server,
    content: html`<p>to go on to <strong><bdi>${appName}</bdi></strong></p>
!${error}!${renderForm(form, fields)}`,
  });
}

interface Problem {
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
