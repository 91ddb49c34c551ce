import type { ServerConfig } from './resources/server-config.ts';

/** What the pages of a server call it: `app.name` of its configuration, unless a test has set something that is no name. */
export function serverName(config: ServerConfig): string {
  const app: unknown = config.app;
  const name: unknown = typeof app === 'object' && app !== null ? Reflect.get(app, 'name') : undefined;
  return typeof name === 'string' ? name : 'Loops';
}
