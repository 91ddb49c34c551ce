import type { Profiler } from 'node:inspector';

/** Parts of the scheduler's work by the functions on the stack; the innermost match counts. */
const PARTS: readonly (readonly [part: string, where: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)/],
  [
    'messages',
    /visitors\/engine-messages|node_modules\/zod\/|child_process\/serialization|^(?:serialize|deserialize) node:v8/,
  ],
  ['engine client', /node_modules\/(?:pg|pg-[\w-]+|postgres-[\w-]+)\/|visitors\/engine/],
  ['children', /visitors\/child-processes|node:child_process|internal\/child_process/],
  ['DNS', /src\/http\/(?:resolver|hosts-file|dns)|node:dns|internal\/dns|dns-packet/],
  ['robots.txt of the store', /cachedRobots|cached-robots/],
  ['lease', /src\/store\/frontier\//],
  ['recording', /src\/store\/|src\/schedule\/|node_modules\/(?:kysely|better-sqlite3)\/|redact/],
  ['queue and claims', /src\/queue\/|src\/crawl\/claims|src\/http\/admit|p-queue/],
  ['visits', /src\/(?:identify|http)\/|node_modules\/got\/|node:_?(?:tls|http|https|net)|internal\/(?:tls|streams)/],
  ['dispatch', /src\/crawl\//],
  ['sources', /src\/(?:sources|service)\//],
  ['start', /node:internal\/modules|typescript|amaro|compileForInternalLoader/],
  ['native code and sockets', /^\(program\)/],
];

/** Divides CPU time by the samples of a profile, without those in which the process was idle. */
export function divideProfile({ nodes, samples = [] }: Profiler.Profile, cpuMs: number): Record<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const places = new Map(
    nodes.map(({ id, callFrame: { functionName, url } }) => [id, `${functionName} ${url}`] as const),
  );
  const partOf = (leaf: number): string => {
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const place = places.get(id) ?? '';
      const part = PARTS.find(([, where]) => where.test(place));
      if (part !== undefined) return part[0];
    }
    return 'other';
  };
  const parts = new Map(nodes.map(({ id }) => [id, partOf(id)]));
  const busy = samples.filter((id) => !places.get(id)?.startsWith('(idle)'));
  const counts: Record<string, number> = {};
  for (const id of busy) {
    const part = parts.get(id) ?? 'other';
    counts[part] = (counts[part] ?? 0) + 1;
  }
  return Object.fromEntries(
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([part, count]) => [part, (count / busy.length) * cpuMs]),
  );
}
