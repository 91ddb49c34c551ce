/** The page of a single-page web app, which live servers send with status 200 for any unknown path. */
export function webAppPage(title: string): string {
  const escaped = title.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${escaped}</title><link rel="stylesheet" href="/assets/app.css"></head>
  <body><div id="app"></div><script type="module" src="/assets/app.js"></script></body>
</html>
`;
}
