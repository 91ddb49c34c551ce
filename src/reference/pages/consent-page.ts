import { html } from 'ghtml';
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
