import { html } from 'ghtml';
import type { OAuthError } from '../oauth/oauth-error.ts';
import type { Scope } from '../oauth/scopes.ts';
import { destinationSentence, type FormTarget, renderForm, renderPage } from './page.ts';

export interface Consent {
  readonly server: string;
  readonly app: { readonly name: string; readonly website: string };
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  readonly account: { readonly name: string; readonly username: string };
  readonly form: FormTarget;
}

/** A description of each scope for users. */
export const scopeDescriptions: Readonly<Record<Scope, string>> = {
  read: 'Read your account and your videos',
  write: 'Post, change and delete things in your name',
  follow: 'Follow and unfollow accounts in your name',
  'user:read': 'Read your account',
  'user:write': 'Change your account in your name',
  'video:create': 'Post videos in your name',
  'video:read': 'Read videos',
};

/** Asks the user to approve or deny the request of an app. */
export function consentPage({ server, app, redirectUri, scopes, account, form }: Consent): string {
  const items = scopes.map((scope) => html`<li>${scopeDescriptions[scope]} (<code>${scope}</code>)</li>`);
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
!${renderWebsite(app.website)}
!${items.length === 0 ? '' : `<h2>It wants to</h2>\n<ul>${items.join('')}</ul>`}
<h2>Afterwards</h2>
<p>!${destinationSentence(redirectUri)}</p>
!${renderForm(form, fields)}`,
  });
}

/** Links only http and https URLs, never one that runs a script. */
function renderWebsite(website: string): string {
  if (website === '') return '';
  if (!/^https?:\/\//i.test(website)) return html`<p><bdi>${website}</bdi></p>`;
  return html`<p><a href="${website}" rel="noopener noreferrer nofollow">${website}</a></p>`;
}

interface SignIn {
  readonly server: string;
  readonly appName: string;
  readonly form: FormTarget;
  /** The previous input; empty at first. */
  readonly username: string;
  /** Why the previous sign-in failed, as a sentence; null at first. */
  readonly problem: string | null;
}

/** Asks for username and password. */
export function signInPage({ server, appName, form, username, problem }: SignIn): string {
  const error = problem === null ? '' : html`<p class="error" id="sign-in-error" role="alert">${problem}</p>`;
  const errorAttributes = problem === null ? '' : 'aria-invalid="true" aria-describedby="sign-in-error"';
  const fields = html`<label for="username">Username</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false"
  required !${errorAttributes}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required !${errorAttributes}>
<div class="actions"><button name="action" value="sign-in">Sign in</button></div>`;
  return renderPage({
    title: 'Sign in',
    server,
    content: html`<p>to continue to <strong><bdi>${appName}</bdi></strong></p>
!${error}!${renderForm(form, fields)}`,
  });
}

interface Problem {
  readonly server: string;
  readonly title: string;
  /** A whole sentence. */
  readonly reason: string;
  /** The OAuth error code, for the developer of the app. */
  readonly code?: string;
  /** The query of a link that restarts the request. */
  readonly retry?: string;
}

/** Shows an error without a way back to the client. */
export function errorPage({ server, title, reason, code, retry }: Problem): string {
  const codeLine = code === undefined ? '' : html`<p>For the developer of the app: <code id="error">${code}</code></p>`;
  const retryLine = retry === undefined ? '' : html`<p><a href="/oauth/authorize?${retry}">Start again</a></p>`;
  return renderPage({ title, server, content: html`<p role="alert">${reason}</p>!${codeLine}!${retryLine}` });
}

interface FaultyRequest {
  readonly server: string;
  readonly appName: string;
  readonly redirectUri: string;
  readonly error: OAuthError;
  readonly form: FormTarget;
}

/**
 * Shows the error in the request of an app, with a button that returns the error to the app. Anyone may register an app with any
 * redirect URI, so a link alone must not send users there (open redirect).
 */
export function faultyRequestPage({ server, appName, redirectUri, error, form }: FaultyRequest): string {
  const fields = '<div class="actions"><button name="action" value="return">Return to the app</button></div>';
  return renderPage({
    title: 'This request cannot continue',
    server,
    content: html`<p role="alert">${error.description}</p>
<p>For the developer of <bdi>${appName}</bdi>: <code id="error">${error.error}</code></p>
<h2>If you return to the app</h2>
<p>!${destinationSentence(redirectUri)} If you do not know it, close this page.</p>
!${renderForm(form, fields)}`,
  });
}

/** Shows the code to the user of an out-of-band client. One click selects all of it. */
export function codePage(server: string, appName: string, code: string): string {
  return renderPage({
    title: 'Your code',
    server,
    content: html`<p><label for="code">Copy this code into <bdi>${appName}</bdi>. It works once and expires soon.</label></p>
<output id="code" tabindex="0">${code}</output>`,
  });
}
