import { z } from 'zod';

/**
 * Sets to null what an object lacks and may be null, in the objects inside it too: a file written before a field was added
 * says nothing of it, and so it is unknown.
 */
export function withUnknowns(shape: z.ZodObject, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(shape.shape)) {
    if (field instanceof z.ZodObject) filled[name] = withUnknowns(field, filled[name] ?? {});
    else if (field instanceof z.ZodNullable) filled[name] ??= null;
  }
  return filled;
}
