import { z } from 'zod';
import type { FactValue } from './fact-value.ts';
import { Hosting } from './hosting.ts';
import { type FactMeta, factMeta, InstanceFacts } from './instance-facts.ts';

/** The facts that servers report; facts added by Loopscout are excluded. */
export type ReportedFacts = Omit<InstanceFacts, 'usage' | 'flags' | 'notes'> & {
  usage: Omit<InstanceFacts['usage'], 'asOf'>;
};

type PathsOf<T> = {
  [Key in keyof T & string]: T[Key] extends FactValue ? Key : `${Key}.${keyof T[Key] & string}`;
}[keyof T & string];

/** The path of a fact in an entry of the directory: `registration.mode`. */
export type FactPath = PathsOf<ReportedFacts> | PathsOf<{ hosting: Hosting }> | 'flags';

export interface FactLeaf<Key extends string = string> {
  readonly path: FactPath;
  /** The key of the enclosing object; null at the top level. */
  readonly parent: string | null;
  readonly key: Key;
  readonly schema: z.ZodType;
  readonly meta: FactMeta;
  /** The key in `KnownFacts.readAt`. Counts are read together, so they share `usage`. */
  readonly ageKey: string;
  readonly get: (facts: Partial<ReportedFacts & { hosting: Hosting }>) => FactValue;
}

/** Every fact, in the order of the table. */
export const FACT_LEAVES: readonly FactLeaf[] = Object.entries(InstanceFacts.shape).flatMap(([key, schema]) =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).flatMap(([inner, leaf]) => leafOf(key, inner, leaf))
    : leafOf(null, key, schema),
);

/** The facts about the address of a host, which are recorded for every domain. */
export const HOSTING_LEAVES: readonly FactLeaf<keyof Hosting>[] = Object.entries(Hosting.shape).flatMap(
  ([key, schema]) => leafOf('hosting', key, schema) as FactLeaf<keyof Hosting>[],
);

/** The facts that servers report, in configuration or NodeInfo. */
export const REPORTED_LEAVES = FACT_LEAVES.filter(
  ({ meta }) => meta.config !== undefined || meta.nodeinfo !== undefined,
);

export const FEATURES = leavesIn<Feature>('features', 'answers');
export const LIMITS = leavesIn<Limit>('limits', 'spread');
export const COUNTS = leavesIn<Count>('usage', 'sum');
/** The facts about addresses that are counted by name. */
export const HOSTING_NAMES = HOSTING_LEAVES.filter(
  (leaf): leaf is FactLeaf<Exclude<keyof Hosting, 'asn'>> => leaf.meta.statistics === 'names',
);

type Feature = keyof InstanceFacts['features'];
type Limits = InstanceFacts['limits'];
type Limit = { [Key in keyof Limits]: Limits[Key] extends number | null ? Key : never }[keyof Limits];
type Count = Exclude<keyof InstanceFacts['usage'], 'asOf'>;

function leavesIn<Key extends string>(parent: string, statistics: FactMeta['statistics']) {
  return FACT_LEAVES.filter(
    (leaf): leaf is FactLeaf<Key> => leaf.parent === parent && leaf.meta.statistics === statistics,
  );
}

/** An object with one value per leaf, under the key of the leaf. */
export function byKey<Key extends string, Value>(
  leaves: readonly FactLeaf<Key>[],
  make: (leaf: FactLeaf<Key>) => Value,
): Record<Key, Value> {
  return Object.fromEntries(leaves.map((leaf) => [leaf.key, make(leaf)])) as Record<Key, Value>;
}

/** An object nested like {@link InstanceFacts}, with a value per leaf, in the order of the leaves. */
export function nestFacts(
  leaves: readonly FactLeaf[],
  read: (leaf: FactLeaf, index: number) => unknown,
): Record<string, unknown> {
  const facts: Record<string, unknown> = {};
  let group = facts;
  let parent: string | null = null;
  let index = 0;
  for (const leaf of leaves) {
    if (leaf.parent !== parent) {
      parent = leaf.parent;
      group = facts;
      if (parent !== null) {
        group = {};
        facts[parent] = group;
      }
    }
    group[leaf.key] = read(leaf, index++);
  }
  return facts;
}

/** Where servers report a fact: "config `app.name`, else NodeInfo `metadata.nodeName`"; null when they don't. */
export function whereReported({ config, nodeinfo }: FactMeta): string | null {
  const documents = [
    ['config', config],
    ['NodeInfo', nodeinfo],
  ] as const;
  const places = documents.flatMap(([document, paths]) =>
    paths === undefined ? [] : [`${document} ${paths.map((path) => `\`${path}\``).join(' or ')}`],
  );
  return places.length === 0 ? null : places.join(', else ');
}

function leafOf(parent: string | null, key: string, schema: z.ZodType): FactLeaf[] {
  const meta = factMeta.get(schema);
  if (meta === undefined) return [];
  const path = (parent === null ? key : `${parent}.${key}`) as FactPath;
  const get: FactLeaf['get'] =
    parent === null
      ? (facts) => (facts as unknown as Record<string, FactValue>)[key] ?? null
      : (facts) => (facts as unknown as Record<string, Record<string, FactValue>>)[parent]?.[key] ?? null;
  return [{ path, parent, key, schema, meta, ageKey: parent === 'usage' ? 'usage' : path, get }];
}
