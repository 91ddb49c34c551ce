import type { z } from 'zod';
import { UNSAFE_CHARACTERS } from '../../model/text/clean-text.ts';
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
  const isRepeated = ({ path: [parameter = ''] }: z.core.$ZodIssue) =>
    Array.isArray((query as Record<PropertyKey, unknown>)[parameter]);
  const errors = faultsOf(result.error.issues, {
    known: Object.keys(schema.shape),
    what: 'parameter',
    wanted: (issue) => (isRepeated(issue) ? 'is given more than once' : null),
  });
  throw new ProblemError(400, 'The query cannot be used.', { errors });
}

interface FaultWords {
  /** The keys that there are. */
  known: readonly string[];
  /** What one is called. */
  what: string;
  /** What is wrong, where that can be said better than from the issue alone. */
  wanted: (issue: z.core.$ZodIssue) => string | null;
}

/** What is wrong with each key, in words; of many, the first. */
export function faultsOf(
  issues: readonly z.core.$ZodIssue[],
  { known, what, wanted }: FaultWords,
): { parameter: string; detail: string }[] {
  const errors = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const allowed = known.length === 0 ? 'there are none here' : `there are: ${known.join(', ')}`;
      return issue.keys.map((key) => ({
        parameter: harmless(key),
        detail: `is no ${what}; ${allowed}`,
      }));
    }
    return [{ parameter: String(issue.path[0] ?? ''), detail: wanted(issue) ?? `must be ${wantedBy(issue)}` }];
  });
  return errors.slice(0, MOST_TOLD);
}

/** The name of a parameter is whatever a request says. */
function harmless(name: string): string {
  return name.slice(0, LONGEST_NAME).toWellFormed().replace(UNSAFE_CHARACTERS, '\ufffd');
}

function wantedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big' && issue.origin === 'string') return `at most ${issue.maximum} characters long`;
  if (issue.code === 'too_small' && issue.origin === 'string') return `at least ${issue.minimum} character long`;
  return issue.message;
}
