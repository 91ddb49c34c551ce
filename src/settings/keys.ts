import leven from 'leven';
import * as z from 'zod';
import { SettingsSchema } from './schema.ts';

/** The JSON Schema of one value. */
export type SchemaNode = z.core.JSONSchema.JSONSchema;

/** A setting that is a value, not a group of settings. */
export interface SettingKey {
  /** `queue.visitsPerSecond` */
  readonly name: string;
  readonly path: readonly string[];
  /** `LOOPSCOUT_QUEUE_VISITS_PER_SECOND` */
  readonly variable: string;
  readonly node: SchemaNode;
}

let jsonSchema: SchemaNode | undefined;

/** The JSON Schema (draft 2020-12) of `crawler.config.json`, for editors. Defaults and descriptions are in it. */
export function settingsJsonSchema(): SchemaNode {
  jsonSchema ??= z.toJSONSchema(SettingsSchema, { io: 'input' });
  return jsonSchema;
}

/** All settings, in the order of the schema. */
export function settingKeys(schema: SchemaNode): SettingKey[] {
  return keysBelow(schema, []).filter(({ name }) => name !== '$schema');
}

/** The keys allowed in the object at a path; for a list entry with several forms, the keys of all forms. */
export function keysAt(schema: SchemaNode, path: readonly PropertyKey[]): string[] {
  const forms = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as SchemaNode[];
  const [key, ...rest] = path;
  if (key === undefined) return forms.flatMap(({ properties }) => Object.keys(properties ?? {}));
  const below = forms.map(({ items, properties }) => (typeof key === 'number' ? items : properties?.[String(key)]));
  return below.flatMap((node) => (isNode(node) ? keysAt(node, rest) : []));
}

/** The known name that is most similar to an unknown one; null when none is similar enough. */
export function nearest(unknown: string, known: readonly string[]): string | null {
  const ranked = known
    .map((name) => ({ name, distance: leven(unknown.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best === undefined || best.distance > Math.max(2, Math.floor(unknown.length / 3))) return null;
  return best.distance * 2 < Math.max(unknown.length, best.name.length) ? best.name : null;
}

function keysBelow(schema: SchemaNode, path: readonly string[]): SettingKey[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, node]) => {
    if (!isNode(node)) return [];
    const below = [...path, key];
    if (node.type === 'object') return keysBelow(node, below);
    return [{ name: below.join('.'), path: below, variable: variableOf(below), node }];
  });
}

function variableOf(path: readonly string[]): string {
  const words = path.map((key) => key.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase());
  return `LOOPSCOUT_${words.join('_')}`;
}

function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
