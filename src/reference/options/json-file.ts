import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { stateSettings } from './state-settings.ts';

/** Invalid options or an invalid JSON file. The message has one printable line for each problem. */
export class JsonFileError extends Error {
  override readonly name = 'JsonFileError';
  readonly kind = 'setting';
  readonly problems: readonly string[];

  /** @param file the path of the file, or another name for the messages. */
  constructor(file: string, problems: readonly string[], options?: ErrorOptions) {
    super(problems.map((problem) => `${file}: ${problem}`).join('\n'), options);
    this.problems = problems;
  }
}

/** Returns a sentence for each problem of a value. */
export type ExtraCheck = (value: unknown) => string[];

/**
 * Validates a value.
 * @param file the path of the file, or another name for the messages.
 * @param extraCheck checks beyond the schema. It runs even if the schema finds problems, so that all are reported at once; it
 * must therefore accept any value.
 * @throws {JsonFileError} naming every problem by path, current value and expected value.
 */
export function checkJson<T>(file: string, value: unknown, schema: z.ZodType<T>, extraCheck: ExtraCheck = () => []): T {
  const result = schema.safeParse(value, { error: listAllowedKeys });
  const issues = result.error?.issues ?? [];
  const problems = [...issues.flatMap((issue) => problemsOf(issue, value)), ...extraCheck(value)];
  if (!result.success || problems.length > 0) throw new JsonFileError(file, problems);
  return result.data;
}

/** Adds the allowed keys to the message of zod, which names only the unknown ones. */
const listAllowedKeys: z.core.$ZodErrorMap = ({ code, inst }) =>
  code === 'unrecognized_keys' && inst instanceof z.ZodObject
    ? `allowed: ${Object.keys(inst.shape).join(', ')}`
    : undefined;

/** @param parentPath the path of the part of the value that the issue was found in. */
function problemsOf(issue: z.core.$ZodIssue, value: unknown, parentPath: readonly PropertyKey[] = []): string[] {
  const path = [...parentPath, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${pathText([...path, key])} is not a known key; ${issue.message}`);
  // In a union, reports the problems of the alternative that has the type of the value.
  const alternative = issue.code === 'invalid_union' ? issue.errors.find((each) => each.every(isInside)) : undefined;
  if (alternative !== undefined) return alternative.flatMap((each) => problemsOf(each, value, path));
  const message = issue.code === 'invalid_union' ? alternativesOf(issue) : issue.message;
  return [`${pathText(path)} is ${preview(valueAt(value, path))}; ${message}`];
}

/** Whether an issue concerns a part of the value, its keys or a further check, and not its type. */
const isInside = ({ path, code }: z.core.$ZodIssue) =>
  path.length > 0 || code === 'unrecognized_keys' || code === 'custom';

function alternativesOf({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  return errors.length === 0
    ? message
    : errors.map((each) => each.map((issue) => issue.message).join(', ')).join('; or ');
}

function pathText(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the document' : z.core.toDotPath(path);
}

function preview(value: unknown): string {
  const json = value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value));
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((parent, key) => Object(parent)[key], value);
}

/**
 * Reads and validates a JSON file.
 * @throws {JsonFileError} when it cannot be read, is not JSON, or is invalid; it lists every problem.
 */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>, extraCheck?: ExtraCheck): T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new JsonFileError(path, [`it cannot be read (${code}); name a readable JSON file`], { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JsonFileError(path, [`it is not JSON: ${cause instanceof Error ? cause.message : cause}`], { cause });
  }
  return checkJson(path, value, schema, extraCheck);
}

/**
 * Validates a new value for a setting of a running server.
 * @throws {JsonFileError} when it is invalid.
 */
export function checkSetting<T>(name: keyof typeof stateSettings, value: T): T {
  checkJson('the state', { [name]: value }, z.strictObject({ [name]: stateSettings[name] }));
  return value;
}
