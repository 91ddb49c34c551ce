import { z } from 'zod';

/** A field that holds a value, and where it is. */
export interface Leaf {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** The fields of a shape that are no objects themselves, in order; objects are gone into, lists are not. */
export function leavesOf(shape: z.ZodObject, path: readonly string[] = []): Leaf[] {
  return Object.entries(shape.shape).flatMap(([name, schema]) => {
    const at = [...path, name];
    return schema instanceof z.ZodObject ? leavesOf(schema, at) : [{ path: at, schema: schema as z.ZodType }];
  });
}
