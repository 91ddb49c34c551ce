import type { Profiler } from 'node:inspector';

/** The parts of the main process's work, each with a pattern for functions on the stack. A sample belongs to the first part that matches. */
const PARTS: readonly (readonly [part: string, where: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['start of the process', /node:internal\/modules|compileForInternalLoader/],
  ['messages', /workers\/exchange|JSON\./],
  ['engine client', /node_modules\/(?:pg|pg-[\w-]+|postgres-[\w-]+)\/|workers\/(?:engine|worker-visits)/],
  ['DNS', /src\/http\/(?:resolver|hosts-file)|node:dns|internal\/dns/],
  ['robots.txt cached in the store', /cachedRobots|cached-robots/],
  ['reading of sources', /src\/sources\/|src\/service\/sources\//],
  ['picking', /src\/store\/domains\//],
  ['recording', /src\/store\/|node_modules\/(?:kysely|better-sqlite3)\//],
  ['queue and limits', /src\/queue\/|src\/crawl\/claims|src\/http\/admit|node_modules\/p-queue\//],
  ['decisions', /src\/(?:schedule|crawl|identify|model)\//],
  ['native code and sockets', /^\(program\)|node:net|stream_base_commons/],
];

/** Splits CPU time into parts of the work, in proportion to the samples of a profile. Samples of an idle process do not count. */
export function divideProfile({ nodes, samples = [] }: Profiler.Profile, cpuMs: number): Record<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const places = new Map(nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName} ${callFrame.url}`] as const));
  const partOf = (leaf: number): string => {
    const stack: string[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) stack.push(places.get(id) ?? '');
    return PARTS.find(([, where]) => stack.some((place) => where.test(place)))?.[0] ?? 'other';
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
