import { z } from 'zod';
import type { Column, ColumnKind } from './column.ts';
import { type Leaf, leavesOf } from './leaves-of.ts';

/** The columns of a table whose rows have a shape: one for each leaf, in the order of the shape. */
export function columnsOf(shape: z.ZodObject): Column[] {
  return leavesOf(shape).map(({ path, schema }) => ({
    name: path.join('.'),
    path,
    kind: kindOf(schema),
    isNullable: schema.safeParse(null).success,
  }));
}

function kindOf(schema: Leaf['schema']): ColumnKind {
  if (schema instanceof z.ZodNullable) return kindOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodReadonly) return kindOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return isInteger(schema) ? 'integer' : 'number';
  if (schema instanceof z.ZodArray) return 'list';
  if (schema instanceof z.ZodUnion) return 'json';
  return schema.meta()?.format === 'date-time' ? 'time' : 'text';
}

function isInteger(schema: z.ZodNumber): boolean {
  return !schema.safeParse(0.5).success;
}
