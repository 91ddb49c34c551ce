import { z } from 'zod';
import type { Clause } from './clauses/clause.ts';

/** The comment of each clause that is expected to fail, by clause id. */
export type ExpectedFailures = Readonly<Record<string, string>>;

const FileContent = z.record(z.string(), z.string());

/** Reads the text of a file of expected failures. Returns the problems if it is invalid. */
export function parseExpectedFailures(
  text: string,
  clauses: readonly Clause[],
): { expected: ExpectedFailures } | { problems: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problems: ['it is not JSON'] };
  }
  const parsed = FileContent.safeParse(json);
  if (!parsed.success)
    return { problems: ['it must be an object whose keys are clause ids and whose values are comments'] };
  const { $schema: _, ...expected } = parsed.data;
  const unknown = Object.keys(expected).filter((id) => !clauses.some((clause) => clause.id === id));
  return unknown.length === 0 ? { expected } : { problems: unknown.map((id) => `there is no clause ${id}`) };
}
