import { html } from 'ghtml';

/** Inline style of the pages: constant, so the content security policy can contain its digest. */
export const style = `
:root { color-scheme: light dark; --page: #fbfbfc; --text: #17171c; --soft: #54545e; --line: #c9c9d2; --main: #4a2fc4; }
@media (prefers-color-scheme: dark) {
  :root { --page: #131316; --text: #f0f0f4; --soft: #b4b4be; --line: #44444d; --main: #b7a8ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1rem; margin: 2rem 0 .25rem; }
h1, h2, h3, p, li, td, th, code { overflow-wrap: anywhere; }
a { color: var(--main); }
code { font-family: ui-monospace, monospace; font-size: .9em; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); }
th { font-weight: 600; }
.soft { color: var(--soft); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
`;

/**
 * A complete HTML page without scripts, fonts or other files.
 *
 * @param content escaped HTML.
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
