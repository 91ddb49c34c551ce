import type { FastifyInstance } from 'fastify';

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** The routes of a Fastify app as `METHOD /path/{parameter}`, sorted, without implicit HEAD routes. */
export function routesOf(app: FastifyInstance): string[] {
  const routes: string[] = [];
  const pathAtDepth: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    // A line of the printed tree: four characters of indentation per level, the part of a path, and the methods in brackets.
    const match = /^([\s│]*)[├└]── (\S*)(?: \(([^)]+)\))?$/u.exec(line);
    if (match === null) continue;
    const [, indent = '', part = '', routeMethods = ''] = match;
    const depth = indent.length / 4;
    const path = (pathAtDepth[depth - 1] ?? '') + part;
    pathAtDepth[depth] = path;
    for (const method of routeMethods.split(', ')) {
      if (!methods.includes(method.toLowerCase())) continue;
      routes.push(`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
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
