import { z } from 'zod';
import type { Partially } from '../overlay.ts';

/**
 * The schema of what may be laid over a value of this schema: any part of it may be left out, at every depth, and nothing that
 * it does not have may be in it. Lists are whole.
 */
export function strictlyPartial<T>(schema: z.ZodType<T>): z.ZodType<Partially<T>> {
  return partial(schema) as z.ZodType<Partially<T>>;
}

function partial(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return partial(schema.unwrap());
  if (!(schema instanceof z.ZodObject)) return schema;
  const members = Object.entries<z.core.$ZodType>(schema.shape);
  return z.strictObject(Object.fromEntries(members.map(([key, member]) => [key, z.exactOptional(partial(member))])));
}
