import type { FastifyInstance } from 'fastify';

/** Which methods the routes of an app answer, by path. Asked for only when there is no answer. */
export type MethodsOf = (path: string) => string[];

/** Listens for the routes that are added to `app` from now on. */
export function collectRouteMethods(app: FastifyInstance): MethodsOf {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    methods.set(url, known);
    for (const each of [method].flat()) known.add(each);
  });
  return (path) => {
    const [found] = [...methods].filter(([url]) => isPathOf(url, path));
    return [...(found?.[1] ?? [])].sort();
  };
}

/** Whether `path` is one of `pattern`, in which `:name` stands for one part. */
function isPathOf(pattern: string, path: string): boolean {
  const parts = pattern.split('/');
  const given = path.split('/');
  return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index]);
}
