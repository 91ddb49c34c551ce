import { z } from 'zod';

/**
 * Sets missing nullable fields to null, in nested objects too: a file or a row written before a field was added lacks the field, so the
 * value is unknown.
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
