import { createHash } from 'node:crypto';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import { html } from 'ghtml';
import { outOfBand } from '../oauth/app-registration.ts';

/** The style of the consent pages, in the page itself: one constant text, so that the policy can name its digest. */
export const style = `
:root { color-scheme: light dark; --page: #f4f4f6; --card: #fff; --text: #17171c; --soft: #54545e; --line: #8a8a94;
  --main: #4a2fc4; --on-main: #fff; --error: #a8071a; --error-page: #fff1f0; --focus: #4a2fc4; }
@media (prefers-color-scheme: dark) {
  :root { --page: #111114; --card: #1c1c21; --text: #f0f0f4; --soft: #b4b4be; --line: #7c7c88;
    --main: #b7a8ff; --on-main: #17171c; --error: #ffb3ab; --error-page: #3a1614; --focus: #d8d0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; }
.server { color: var(--soft); margin: .5rem 0 1rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 1rem; }
h1, p, li, dd, a { overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
h1 + p { margin-top: -.5rem; }
h2 + p, h2 + p + p { margin: 0; }
ul { margin: 0; padding-left: 1.25rem; }
a { color: var(--main); }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input, output { font: inherit; width: 100%; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--card); color: var(--text); }
output { display: block; font-family: ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
[aria-invalid=true] { border: 2px solid var(--error); }
.error { background: var(--error-page); color: var(--error); border: 1px solid var(--error); border-radius: .5rem;
  padding: .625rem .75rem; margin: 0 0 1rem; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.25rem; border: 1px solid var(--main);
  border-radius: .5rem; background: var(--main); color: var(--on-main); cursor: pointer; flex: 1 1 8rem; }
button.second { background: transparent; color: var(--main); }
button.link { flex: 1 1 100%; border-color: transparent; background: transparent; color: var(--main);
  text-decoration: underline; font-weight: 400; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;

export interface Page {
  /** What the page is about; also its heading, unless that is given. */
  readonly title: string;
  /** HTML, escaped already, with foreign names isolated. */
  readonly heading?: string;
  /** Name of the server. */
  readonly server: string;
  /** HTML, escaped already. */
  readonly content: string;
}

/** A whole page: it needs no script, no font and no other file. */
export function renderPage({ title, heading = html`<bdi>${title}</bdi>`, server, content }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${server}</title>
<style>!${style}</style>
</head>
<body>
<main>
<p class="server"><bdi>${server}</bdi></p>
<div class="card">
<h1>!${heading}</h1>
!${content}
</div>
</main>
</body>
</html>
`;
}

const styleDigest = createHash('sha256').update(style).digest('base64');

/**
 * The security headers of the consent pages: nothing runs, nothing is loaded, no site may frame them. There is no `form-action`:
 * Chrome applies it to where a form's answer redirects to as well, which is the client, wherever it is. Strict-Transport-Security
 * is left out, as it would stick to localhost, and to every other server there; Cross-Origin-Opener-Policy, as it would cut a
 * popup off from the client that opened it, for good.
 */
export const pageHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': [`'sha256-${styleDigest}'`],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'no-referrer' },
  crossOriginOpenerPolicy: false,
  strictTransportSecurity: false,
};

/** Where a form of the consent pages goes, and what shows that it is one of theirs. */
export interface FormTarget {
  /** The authorization request as it came, so that it is judged anew. */
  readonly rawQuery: string;
  /** Of `createFormToken`. */
  readonly token: string;
}

/** A form around `fields`, which are HTML. */
export function renderForm({ rawQuery, token }: FormTarget, fields: string): string {
  return html`<form method="post" action="/oauth/authorize?${rawQuery}">
<input type="hidden" name="token" value="${token}">
!${fields}
</form>`;
}

/** Where the user is taken next, as a sentence in HTML: what the app registered, so that it can be known for somebody else's. */
export function destination(redirectUri: string): string {
  if (redirectUri === outOfBand) return 'You are shown a code to copy into the app.';
  const { protocol, host } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return html`You are sent to the app on your device that opens <strong>${protocol}</strong> links.`;
  }
  return html`You are sent to <strong>${host}</strong>.`;
}
