import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ProblemError } from '../answers/problems.ts';

export const Cursor = z
  .string()
  .regex(/^[\w-]{1,1000}$/, 'the value of `next` from an earlier response')
  .optional()
  .meta({
    description:
      'The value of `next` from the previous page, with the same filters. Page length and fields may change.',
  });

/** The parameters that must be the same on every page. */
type Filter = Readonly<Record<string, unknown>>;

/** Encodes a position as an opaque cursor, valid only for the same filter. */
export function writeCursor(filter: Filter, position: unknown): string {
  return Buffer.from(JSON.stringify([digestOf(filter), position])).toString('base64url');
}

/**
 * The position of a cursor; null without a cursor.
 * @throws {ProblemError} 400 for an invalid cursor, or one of another filter.
 */
export function readCursor<Position extends z.ZodType>(
  text: string | undefined,
  filter: Filter,
  schema: Position,
): z.output<Position> | null {
  if (text === undefined) return null;
  const Content = z.tuple([z.literal(digestOf(filter)), schema]);
  try {
    return Content.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))[1] as z.output<Position>;
  } catch {
    const detail = 'is not the value of `next` from an earlier response to the same request; start without it';
    throw new ProblemError(400, 'The cursor is invalid.', { errors: [{ parameter: 'cursor', detail }] });
  }
}

/** A digest of the filter, independent of the order of parameters and list items. */
function digestOf(filter: Filter): string {
  const sorted = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 12);
}
