import * as z from 'zod';
import { keysAt, nearest, type SchemaNode, type SettingKey } from './keys.ts';

/** A wrong setting, as text for users. */
export interface SettingsProblem {
  /** The settings file, the environment variable, the command line, or the options of a library call. */
  readonly where: string;
  /** `queue.concurrency`, or the place in the file. */
  readonly key: string;
  readonly value: string;
  /** Null when no value would be accepted; then `value` says what to do. */
  readonly allowed: string | null;
}

/** All wrong settings together. The message has one line per problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly kind = 'setting';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(
      problems
        .map(({ where, key, value, allowed }) => {
          const expected = allowed === null ? '' : `; allowed: ${allowed}`;
          return `${where}: ${key} is ${value}${expected}`;
        })
        .join('\n'),
    );
    this.problems = problems;
  }
}

/** The schema's issues as problems, one per key. */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  values: unknown,
  schema: SchemaNode,
  keys: readonly SettingKey[],
  whereIs: (path: readonly PropertyKey[]) => string,
): SettingsProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') {
      const key = z.core.toDotPath(issue.path) || 'the document';
      const value = valueAt(values, issue.path);
      const allowed = `${issue.message}${nearestValueHint(issue, value)}`;
      return { where: whereIs(issue.path), key, value: formatValue(value), allowed };
    }
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      return unknownKey(whereIs(path), path, keysAt(schema, issue.path), keys);
    });
  });
}

/** The allowed value that the user probably meant. */
function nearestValueHint(issue: z.core.$ZodIssue, value: unknown): string {
  const options = 'values' in issue ? issue.values : 'options' in issue ? issue.options : null;
  if (typeof value !== 'string' || !Array.isArray(options)) return '';
  const meant = nearest(value, options.map(String));
  return meant === null ? '' : `; did you mean ${formatValue(meant)}?`;
}

/** The allowed values, as the message of a zod issue, for schemas without their own message. */
export function expectedOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(formatValue).join(', ')}`;
  if (issue.code === 'invalid_union' && Array.isArray(issue.options))
    return `one of ${issue.options.map(formatValue).join(', ')}`;
  if (issue.code === 'too_big') return `a number of at most ${issue.maximum}`;
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'a non-empty string' : `a number of at least ${issue.minimum}`;
  // zod first checks for a number, and only then for a whole number.
  if (issue.code === 'invalid_type' && issue.inst instanceof z.core.$ZodNumberFormat) return 'a whole number';
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? issue.expected;
  return undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The problem of an unknown key, with a suggestion. */
export function unknownKey(
  where: string,
  path: readonly PropertyKey[],
  siblings: readonly string[],
  keys: readonly SettingKey[],
): SettingsProblem {
  const name = z.core.toDotPath(path);
  const last = String(path.at(-1));
  const sibling = nearest(last, siblings);
  const meant =
    sibling === null
      ? (keys.find((key) => key.path.at(-1)?.toLowerCase() === last.toLowerCase())?.name ??
        nearest(
          name,
          keys.map((key) => key.name),
        ))
      : z.core.toDotPath([...path.slice(0, -1), sibling]);
  return { where, key: name, ...unknownName(meant) };
}

/** What is wrong with a name that is not a setting. */
export function unknownName(meant: string | null): Pick<SettingsProblem, 'value' | 'allowed'> {
  const cure = meant === null ? 'loopscout settings lists them all' : `did you mean ${meant}?`;
  return { value: `not a setting; ${cure}`, allowed: null };
}

/** The value as JSON, at most 80 characters, without the passwords of URLs. */
export function formatValue(value: unknown): string {
  const text = value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value));
  const json = text.replace(/(:\/\/[^\s/@:"]*:)[^\s"]*@/g, '$1***@').replace(/(password=)[^\s&"]*/gi, '$1***');
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
}

/** The value at a path of keys and list indexes, or undefined. */
export function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Record<PropertyKey, unknown>)[key]
      : undefined;
  }, values);
}
