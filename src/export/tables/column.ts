import { z } from 'zod';
import { type Leaf, leavesOf } from '../../views/schema/fields.ts';

/** How the cells of a column are written; `json`: any value, as JSON text. */
type ColumnKind = 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'list' | 'json';

/** A column of a table: a field of the rows it is made from. */
export interface Column {
  /** The path of the field, its parts joined by dots. */
  readonly name: string;
  readonly path: readonly string[];
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

/** A row: an object with the fields of its columns, by their paths. */
export type Row = Readonly<Record<string, unknown>>;

export function valueAt(row: Row, column: Column): unknown {
  let value: unknown = row;
  for (const key of column.path) value = (value as Row)[key];
  return value;
}

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
