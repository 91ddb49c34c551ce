import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { stateSettings } from './state-settings.ts';

/** A JSON file of options or of a fleet that cannot be used. The message has one line for each problem, fit to print. */
export class JsonFileError extends Error {
  override readonly name = 'JsonFileError';
  readonly kind = 'setting';
  readonly problems: readonly string[];

  /** @param file its path, or what else to call it. */
  constructor(file: string, problems: readonly string[], options?: ErrorOptions) {
    super(problems.map((problem) => `${file}: ${problem}`).join('\n'), options);
    this.problems = problems;
  }
}

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

/** The JSON Schema (draft 2020-12) of a file of options or of a fleet, as text, for editors. */
export function jsonFileSchema(schema: z.ZodType): string {
  const document = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // What says nothing to an editor: that a number can be held, and how TypeScript sees a pair.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.readOnly;
    },
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Reads a JSON file that must keep to a schema, and to what `alsoWrong` says.
 * @throws {JsonFileError} when it cannot be read, is not JSON, or breaks them; it names everything wrong.
 */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>, alsoWrong?: FurtherCheck): T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new JsonFileError(path, [`it cannot be read (${code}); name a JSON file that can`], { cause });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JsonFileError(path, [`it is not JSON: ${cause instanceof Error ? cause.message : cause}`], { cause });
  }
  return checkJson(path, value, schema, alsoWrong);
}

/**
 * A value that one of the settings of a running server is to have.
 * @throws {JsonFileError} when it is none that the setting can have.
 */
export function checkSetting<T>(name: keyof typeof stateSettings, value: T): T {
  checkJson('the state', { [name]: value }, z.strictObject({ [name]: stateSettings[name] }));
  return value;
}
