import type { FastifyInstance } from 'fastify';

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** The routes of a Fastify app as `METHOD /path/{parameter}`, sorted, without implicit HEAD routes. */
export function routesOf(app: FastifyInstance): string[] {
  const routes: string[] = [];
  const parents: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    // A line of the printed tree: indentation, the part of a path, and the methods in brackets.
    const match = /^([\s│]*)[├└]── (\S*)(?: \(([^)]+)\))?$/u.exec(line);
    if (match === null) continue;
    const [, indent = '', part = '', verbs = ''] = match;
    const depth = indent.length / 4;
    const path = (parents[depth - 1] ?? '') + part;
    parents[depth] = path;
    for (const verb of verbs.split(', ')) {
      if (!methods.includes(verb.toLowerCase())) continue;
      routes.push(`${verb} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    }
  }
  return routes.sort();
}

/** The operations of an OpenAPI document as `METHOD /path/{parameter}`, sorted. */
export function documentedOperations(document: Record<string, unknown>): string[] {
  return Object.entries(document.paths as Record<string, object>)
    .flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => methods.includes(key))
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
    .sort();
}
