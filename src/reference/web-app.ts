import type { ServerConfig } from './resources.ts';

/** The name of a server on its pages: `app.name` of its config, or `Loops` when a test has set something that is not a string. */
export function serverName(config: ServerConfig): string {
  const app: unknown = config.app;
  const name: unknown = typeof app === 'object' && app !== null ? Reflect.get(app, 'name') : undefined;
  return typeof name === 'string' ? name : 'Loops';
}

/** The page of a single-page web app, which live servers send with status 200 for any unknown path. */
export function webAppPage(title: string): string {
  const escaped = title.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${escaped}</title></head>
  <body><div id="app"></div><script type="module" src="/assets/app.js"></script></body>
</html>
`;
}
