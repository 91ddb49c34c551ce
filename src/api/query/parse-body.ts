import type { z } from 'zod';
import { ProblemError } from '../answers/problem-error.ts';
import { faultsOf } from './parse-query.ts';

/**
 * What was posted, held to its schema.
 * @param example of a body that can be used, as JSON.
 * @throws {ProblemError} 400, with every key that cannot be used.
 */
export function parseBody<Body extends z.ZodObject>(schema: Body, body: unknown, example: string): z.output<Body> {
  const cure = `send a JSON object such as ${example}`;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ProblemError(400, `The body is ${nameOf(body)}; ${cure}.`);
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const wanted = (issue: z.core.$ZodIssue): string | null => {
    if (issue.code !== 'invalid_type') return null;
    const value: unknown = Reflect.get(body, issue.path[0] ?? '');
    return value === undefined ? 'is missing' : `must be a ${issue.expected}, and is ${nameOf(value)}`;
  };
  const errors = faultsOf(result.error.issues, { known: Object.keys(schema.shape), what: 'key of the body', wanted });
  throw new ProblemError(400, `The body cannot be used; ${cure}.`, { errors });
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
