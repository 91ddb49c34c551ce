import { html } from 'ghtml';
import { style } from './style.ts';

/**
 * A whole page; it needs no script, no font and no other file.
 *
 * @param content HTML, escaped already.
 */
export function renderPage(title: string, content: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Loopscout</title>
<style>!${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
!${content}
</main>
</body>
</html>
`;
}
