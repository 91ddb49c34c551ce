import { html } from 'ghtml';
import { style } from './style.ts';

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
