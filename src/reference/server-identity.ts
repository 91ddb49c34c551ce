import type { FastifyReply } from 'fastify';
import type { ServerConfig } from './resources/resources.ts';

/** A robots.txt in the form that live servers ship: by the longest match (RFC 9309), config is disallowed, NodeInfo is not. */
export const stockRobots = `User-agent: *
Allow: /
Allow: /.well-known/nodeinfo
Allow: /nodeinfo/2.0
Allow: /nodeinfo/2.1
Disallow: /api/
Allow: /api/v1/video/
Allow: /api/v1/account/username/
Allow: /api/v1/tags/
`;

const exposed = 'Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining';

/** Lets scripts of other sites read those headers of an answer that may have one of them; no other answer says so, as it costs time. */
export function exposeHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('access-control-expose-headers', exposed);
}

/** What the pages of a server call it: `app.name` of its configuration, unless a test has set something that is no name. */
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
