import { createHash } from 'node:crypto';
import type { FastifyHelmetOptions } from '@fastify/helmet';
import { html } from 'ghtml';
import { outOfBand } from '../oauth/app-registration.ts';

/** The inline style of the consent pages. It is constant, so that the Content-Security-Policy can allow its hash. */
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
  /** Title, and the heading unless `heading` is given. */
  readonly title: string;
  /** Escaped HTML, with user-provided names in `<bdi>`. */
  readonly heading?: string;
  /** Name of the server. */
  readonly server: string;
  /** Escaped HTML. */
  readonly content: string;
}

/** A complete page without scripts, fonts or other files. */
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
 * The security headers of the consent pages: no scripts, no other files, no framing. Left out on purpose: `form-action`, which
 * Chrome also applies to the redirect to the client; Strict-Transport-Security, which would apply to every server on localhost;
 * and Cross-Origin-Opener-Policy, which would cut a popup off from the client that opened it.
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

/** The target of a form of the consent pages, and its CSRF token. */
export interface FormTarget {
  /** The authorization request as it was sent. */
  readonly rawQuery: string;
  /** From `createFormToken`. */
  readonly token: string;
}

/** @param fields escaped HTML. */
export function renderForm({ rawQuery, token }: FormTarget, fields: string): string {
  return html`<form method="post" action="/oauth/authorize?${rawQuery}">
<input type="hidden" name="token" value="${token}">
!${fields}
</form>`;
}

/** A sentence in HTML that names where the user is sent next, so that a foreign redirect URI can be recognised. */
export function destinationSentence(redirectUri: string): string {
  if (redirectUri === outOfBand) return 'You will get a code to copy into the app.';
  const { protocol, host } = new URL(redirectUri);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return html`You will be sent to the app on your device that opens <strong>${protocol}</strong> links.`;
  }
  return html`You will be sent to <strong>${host}</strong>.`;
}
