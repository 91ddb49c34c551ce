import { z } from 'zod';
import { JsonFileError } from './json-file-error.ts';

/** Gives a sentence for each problem of a value. */
export type FurtherCheck = (value: unknown) => string[];

/**
 * The value, when it keeps to the schema.
 * @param file what to call it in the error: its path.
 * @param alsoWrong what is wrong with the value beyond the schema. It is called in any case, so that every problem is reported at once,
 * and must therefore cope with any value.
 * @throws {JsonFileError} that names every problem by its place, the value there, and what is expected.
 */
export function checkJson<T>(
  file: string,
  value: unknown,
  schema: z.ZodType<T>,
  alsoWrong: FurtherCheck = () => [],
): T {
  const result = schema.safeParse(value, { error: allowedKeys });
  const issues = result.error?.issues ?? [];
  const problems = [...issues.flatMap((issue) => problemsOf(issue, value)), ...alsoWrong(value)];
  if (!result.success || problems.length > 0) throw new JsonFileError(file, problems);
  return result.data;
}

/** zod names the keys that are wrong, not those that there are. */
const allowedKeys: z.core.$ZodErrorMap = ({ code, inst }) =>
  code === 'unrecognized_keys' && inst instanceof z.ZodObject
    ? `allowed: ${Object.keys(inst.shape).join(', ')}`
    : undefined;

/** @param within the place of what the issue is about in the whole value. */
function problemsOf(issue: z.core.$ZodIssue, value: unknown, within: readonly PropertyKey[] = []): string[] {
  const path = [...within, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${placeOf([...path, key])} is no key there; ${issue.message}`);
  // Of several forms, that one which the value has the type of.
  const form = issue.code === 'invalid_union' ? issue.errors.find((each) => each.every(isWithin)) : undefined;
  if (form !== undefined) return form.flatMap((each) => problemsOf(each, value, path));
  const message = issue.code === 'invalid_union' ? formsOf(issue) : issue.message;
  return [`${placeOf(path)} is ${shown(valueAt(value, path))}; ${message}`];
}

const isWithin = ({ path, code }: z.core.$ZodIssue) =>
  path.length > 0 || code === 'unrecognized_keys' || code === 'custom';

function formsOf({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  return errors.length === 0
    ? message
    : errors.map((each) => each.map((issue) => issue.message).join(', ')).join('; or ');
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the whole' : z.core.toDotPath(path);
}

function shown(value: unknown): string {
  const json = value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value));
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((within, key) => Object(within)[key], value);
}
