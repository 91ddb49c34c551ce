import type { z } from 'zod';
import { UNSAFE_CHARACTERS } from '../../record/unsafe-characters.ts';
import { ProblemError } from '../answers/problem-error.ts';

const LONGEST_NAME = 50;
const MOST_TOLD = 20;

/**
 * The query of a request, held to its schema.
 * @throws {ProblemError} 400, with every parameter that cannot be used.
 */
export function parseQuery<Query extends z.ZodObject>(schema: Query, query: unknown): z.output<Query> {
  const result = schema.safeParse({ ...(query as object) });
  if (result.success) return result.data;
  const known = Object.keys(schema.shape);
  const errors = result.error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const allowed = known.length === 0 ? 'there are none here' : `there are: ${known.join(', ')}`;
      return issue.keys.map((key) => ({
        parameter: harmless(key),
        detail: `is no parameter; ${allowed}`,
      }));
    }
    const parameter = String(issue.path[0] ?? '');
    const isRepeated = Array.isArray((query as Record<string, unknown>)[parameter]);
    return [{ parameter, detail: isRepeated ? 'is given more than once' : `must be ${wanted(issue)}` }];
  });
  throw new ProblemError(400, 'The query cannot be used.', { errors: errors.slice(0, MOST_TOLD) });
}

/** The name of a parameter is whatever a request says. */
function harmless(name: string): string {
  return name.slice(0, LONGEST_NAME).toWellFormed().replace(UNSAFE_CHARACTERS, '\ufffd');
}

function wanted(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big' && issue.origin === 'string') return `at most ${issue.maximum} characters long`;
  if (issue.code === 'too_small' && issue.origin === 'string') return `at least ${issue.minimum} character long`;
  return issue.message;
}
