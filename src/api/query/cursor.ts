import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ProblemError } from '../answers/problems.ts';

/** Where a page begins, as the answer before said in `next`. */
export const Cursor = z
  .string()
  .regex(/^[\w-]{1,1000}$/, 'the value of `next` of an earlier answer')
  .optional()
  .meta({
    description:
      'Where to go on: `next` of the page before, to be passed on as it is, with the same question. Page length and fields may change.',
  });

/** What is asked, but for what may differ from page to page. */
type Question = Readonly<Record<string, unknown>>;

/** The place of a cursor as text that is nobody's business, and that holds for the question alone. */
export function writeCursor(question: Question, place: unknown): string {
  return Buffer.from(JSON.stringify([markOf(question), place])).toString('base64url');
}

/**
 * The place that a cursor of ours stands for; null when there is none.
 * @throws {ProblemError} 400 for any other text, and for the cursor of another question.
 */
export function readCursor<Place extends z.ZodType>(
  text: string | undefined,
  question: Question,
  place: Place,
): z.output<Place> | null {
  if (text === undefined) return null;
  const Written = z.tuple([z.literal(markOf(question)), place]);
  try {
    return Written.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))[1] as z.output<Place>;
  } catch {
    const detail = 'is not the value of `next` of an earlier answer to the same question; begin without it';
    throw new ProblemError(400, 'The cursor cannot be used.', { errors: [{ parameter: 'cursor', detail }] });
  }
}

/** The same for the same question, in whatever order its parameters and its words are given. */
function markOf(question: Question): string {
  const asked = Object.entries(question)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 12);
}
