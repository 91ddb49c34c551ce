import { z } from 'zod';
import { JsonFileError } from './json-file-error.ts';

/**
 * The value, when it keeps to the schema.
 * @param file what to call it in the error: its path.
 * @param alsoWrong what is wrong with the value beyond the schema. Is asked in any case, so that everything is told at once, and
 * must therefore cope with any value.
 * @throws {JsonFileError} that names every problem by its place, and what is allowed there.
 */
export function checkJson<T>(file: string, value: unknown, schema: z.ZodType<T>, alsoWrong: FurtherCheck = none): T {
  const result = schema.safeParse(value);
  const issues = result.error?.issues ?? [];
  const problems = [...issues.flatMap((issue) => problemsOf(issue, value, schema)), ...alsoWrong(value)];
  if (!result.success || problems.length > 0) throw new JsonFileError(file, problems);
  return result.data;
}

/** Gives a sentence for each problem of a value. */
export type FurtherCheck = (value: unknown) => string[];
const none: FurtherCheck = () => [];

/** @param within where the value is in the whole. */
function problemsOf(
  issue: z.core.$ZodIssue,
  value: unknown,
  schema: z.core.$ZodType,
  within: readonly PropertyKey[] = [],
): string[] {
  const path = [...within, ...issue.path];
  const place = placeOf(path);
  const found = shown(valueAt(value, issue.path));
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(schema, issue.path, value).join(', ');
    return issue.keys.map((key) => `${placeOf([...path, key])} is no key there; allowed: ${allowed}`);
  }
  if (issue.code === 'custom' || issue.code === 'invalid_format') {
    return [`${place} is ${found}; ${issue.message.startsWith('must') ? 'it ' : ''}${issue.message}`];
  }
  const node = schemaAt(schema, issue.path, value);
  const problem = `${place} is ${found}; allowed: ${allowedBy(node)}`;
  if (issue.code !== 'invalid_union' || !(node instanceof z.ZodDiscriminatedUnion)) return [problem];
  const union = valueAt(value, issue.path.slice(0, -1));
  return [...sharedProblems(node, union, path.slice(0, -1)), problem];
}

/** What is wrong with the keys that all forms of a union have, of a value that names none of the forms. */
function sharedProblems(union: z.ZodDiscriminatedUnion, value: unknown, within: readonly PropertyKey[]): string[] {
  const shapes = union.options.map((option) => (option instanceof z.ZodObject ? option.shape : {}));
  const shared = Object.entries<z.ZodType>(shapes[0] ?? {}).filter(([key, node]) =>
    shapes.every((shape) => shape[key] === node),
  );
  return shared.flatMap(([key, node]) => {
    const member = valueAt(value, [key]);
    if (member === undefined && node instanceof z.ZodExactOptional) return [];
    const issues = node.safeParse(member).error?.issues ?? [];
    return issues.flatMap((issue) => problemsOf(issue, member, node, [...within, key]));
  });
}

/** What a schema allows, in words. */
function allowedBy(schema: z.core.$ZodType | undefined): string {
  const node = schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
  if (node instanceof z.ZodNullable) return `${allowedBy(node.unwrap())}, or null`;
  if (node instanceof z.ZodReadonly) return allowedBy(node.unwrap());
  if (node instanceof z.ZodEnum) return node.options.join(', ');
  if (node instanceof z.ZodLiteral) return [...node.values].map(shown).join(', ');
  if (node instanceof z.ZodDefault) return allowedBy(node.unwrap());
  if (node instanceof z.ZodDiscriminatedUnion) {
    return `an object whose "${node.def.discriminator}" is one of ${discriminators(node).join(', ')}`;
  }
  if (node instanceof z.ZodUnion) return node.options.map(allowedBy).join('; or ');
  if (node instanceof z.ZodNumber) return `${node.isInt ? 'a whole number' : 'a number'}${range(node)}`;
  if (node instanceof z.ZodTuple) return `[${node.def.items.map(allowedBy).join(', ')}]`;
  if (node instanceof z.ZodArray) return `a list, each entry ${allowedBy(node.element)}`;
  if (node instanceof z.ZodObject) return `an object with ${Object.keys(node.shape).join(', ')}`;
  if (node instanceof z.ZodRecord) return 'an object';
  if (node instanceof z.ZodBoolean) return 'true or false';
  return node instanceof z.ZodString ? 'a string' : 'something else';
}

function range({ minValue, maxValue }: z.ZodNumber): string {
  const least = minValue === null || minValue <= Number.MIN_SAFE_INTEGER ? '' : ` from ${minValue}`;
  return maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? least : `${least} to ${maxValue}`;
}

/** The part of a schema that judges the value at a path; of several forms, the one that the value names itself. */
function schemaAt(schema: z.core.$ZodType, path: readonly PropertyKey[], value: unknown): z.core.$ZodType | undefined {
  if (isWrapper(schema)) {
    return path.length === 0 && schema instanceof z.ZodNullable ? schema : schemaAt(schema.unwrap(), path, value);
  }
  const [key, ...rest] = path;
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const form = schema.options.find((each) => nameOf(each, schema) === valueAt(value, [schema.def.discriminator]));
    return form === undefined ? schema : schemaAt(form, path, value);
  }
  if (key === undefined) return schema;
  const member = valueAt(value, [key]);
  if (schema instanceof z.ZodObject) {
    const child = (schema.shape as Record<PropertyKey, z.core.$ZodType>)[key];
    return child === undefined ? undefined : schemaAt(child, rest, member);
  }
  if (schema instanceof z.ZodArray) return schemaAt(schema.element, rest, member);
  if (schema instanceof z.ZodRecord) return schemaAt(schema.valueType, rest, member);
  return schema;
}

type Wrapper = z.ZodOptional | z.ZodExactOptional | z.ZodNullable | z.ZodReadonly | z.ZodDefault;

function isWrapper(schema: z.core.$ZodType): schema is Wrapper {
  const wrappers = [z.ZodOptional, z.ZodExactOptional, z.ZodNullable, z.ZodReadonly, z.ZodDefault];
  return wrappers.some((wrapper) => schema instanceof wrapper);
}

function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  const found = schemaAt(schema, path, value);
  const bare = found instanceof z.ZodNullable ? found.unwrap() : found;
  const objects = bare instanceof z.ZodUnion ? bare.options : [bare];
  return objects.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : []));
}

function discriminators(union: z.ZodDiscriminatedUnion): string[] {
  return union.options.map((option) => nameOf(option, union));
}

function nameOf(option: z.core.$ZodType, { def }: z.ZodDiscriminatedUnion): string {
  const literal = option instanceof z.ZodObject ? option.shape[def.discriminator] : undefined;
  return literal instanceof z.ZodLiteral ? String(literal.value) : '';
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? String(key) : `${name}.${String(key)}`;
  }, '');
  return place === '' ? 'the whole' : place;
}

function shown(value: unknown): string {
  const json = value === undefined ? 'missing' : (JSON.stringify(value) ?? String(value));
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((within, key) => {
    return typeof within === 'object' && within !== null && Object.hasOwn(within, key)
      ? (within as Record<PropertyKey, unknown>)[key]
      : undefined;
  }, value);
}
