import type * as z from 'zod';
import { nearest, nodeAt, type SchemaNode, type SettingKey } from './settings.keys.ts';

/** One wrong setting, in words fit to show. */
export interface SettingsProblem {
  /** The settings file, the environment variable, the command line, or the options that a program gave. */
  readonly where: string;
  /** `queue.concurrency`, or the place in the file. */
  readonly key: string;
  readonly value: string;
  readonly allowed: string;
}

/** Wrong settings: every problem at once. The message has one line for each, fit to print as it is. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly kind = 'setting';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(
      problems.map(({ where, key, value, allowed }) => `${where}: ${key} is ${value}; allowed: ${allowed}`).join('\n'),
    );
    this.problems = problems;
  }
}

/** What is wrong, key by key, in a value that the schema refused. */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  values: unknown,
  schema: SchemaNode,
  keys: readonly SettingKey[],
  whereIs: (path: readonly PropertyKey[]) => string,
): SettingsProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        const siblings = Object.keys(nodeAt(schema, issue.path)?.properties ?? alternatives(schema, issue.path));
        return unknownKey(whereIs(path), path, shown(valueAt(values, path)), siblings, keys);
      });
    }
    const allowed =
      issue.code === 'custom' || issue.code === 'invalid_format' ? issue.message : describe(nodeAt(schema, issue.path));
    const value = shown(valueAt(values, issue.path));
    return [{ where: whereIs(issue.path), key: nameOf(issue.path) || 'the whole', value, allowed }];
  });
}

/** The problem of a key that no setting has, with the key that was probably meant. */
export function unknownKey(
  where: string,
  path: readonly PropertyKey[],
  value: string,
  siblings: readonly string[],
  keys: readonly SettingKey[],
): SettingsProblem {
  const name = nameOf(path);
  const last = String(path.at(-1));
  const sibling = nearest(last, siblings);
  const parent = nameOf(path.slice(0, -1));
  const moved = keys.find((key) => key.path.at(-1)?.toLowerCase() === last.toLowerCase())?.name;
  const meant =
    sibling === null
      ? (moved ??
        nearest(
          name,
          keys.map((key) => key.name),
        ))
      : [parent, sibling].filter(Boolean).join('.');
  const hint = meant === null ? '' : `; did you mean ${meant}?`;
  return { where, key: name, value, allowed: `nothing, there is no such key${hint}` };
}

/** A value as JSON, at most 80 characters. */
export function shown(value: unknown): string {
  const json = value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value));
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
}

/** What a schema allows, in words. */
function describe(node: SchemaNode | null): string {
  if (node === null) return 'nothing';
  const choices = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  if (choices !== undefined)
    return choices.length === 1 ? shown(choices[0]) : `one of ${choices.map(shown).join(', ')}`;
  const alternative = [...(node.anyOf ?? []), ...(node.oneOf ?? [])] as SchemaNode[];
  if (alternative.length > 0) return alternative.map(describe).join(' or ');
  if (node.type === 'integer' || node.type === 'number') {
    return `a ${node.type === 'integer' ? 'whole ' : ''}number from ${node.minimum} to ${node.maximum}`;
  }
  if (node.type === 'string') {
    const form = node.pattern === undefined ? '' : ` of the form ${node.pattern}`;
    return `${node.minLength === undefined ? 'a' : 'a non-empty'} string${form}`;
  }
  if (node.type === 'array') return `a list, each entry ${describe((node.items ?? null) as SchemaNode | null)}`;
  if (node.type === 'object') return `an object with ${Object.keys(node.properties ?? {}).join(', ')}`;
  return String(node.type);
}

/** Keys of a list entry that has several forms. */
function alternatives(schema: SchemaNode, path: readonly PropertyKey[]): Record<string, unknown> {
  const forms = (nodeAt(schema, path)?.oneOf ?? []) as SchemaNode[];
  return Object.assign({}, ...forms.map(({ properties }) => properties));
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? String(key) : `${name}.${String(key)}`;
  }, '');
}

/** The value at a path of keys and list places, or undefined. */
export function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<PropertyKey, unknown>)[key]
      : undefined;
  }, values);
}
