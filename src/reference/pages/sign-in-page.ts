import { html } from 'ghtml';
import { type FormTarget, renderForm, renderPage } from './page.ts';

export interface SignIn {
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
