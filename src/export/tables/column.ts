import { z } from 'zod';
import { columnName, type Leaf, leavesOf } from '../../directory/schema/fields.ts';
import { joinItems } from './list-cell.ts';

/** Cell type of a column; `any` is any fact, as text. */
type ColumnKind = 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'list' | 'any';

export interface Column {
  /** Path of the field, joined by underscores. */
  readonly name: string;
  readonly path: readonly string[];
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

/** An object with the fields of the columns at their paths. */
export type Row = Readonly<Record<string, unknown>>;

export function valueAt(row: Row, column: Column): unknown {
  let value: unknown = row;
  for (const key of column.path) value = (value as Row)[key];
  return value;
}

/** The text of a cell of kind `any`. */
export function textOf(value: unknown): string {
  return Array.isArray(value) ? joinItems(value) : String(value);
}

/** The columns of a shape: one per leaf, in order. */
export function columnsOf(shape: z.ZodObject): Column[] {
  return leavesOf(shape).map(({ path, schema }) => ({
    name: columnName(path),
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
  if (schema instanceof z.ZodUnion) return 'any';
  return schema.meta()?.format === 'date-time' ? 'time' : 'text';
}

function isInteger(schema: z.ZodNumber): boolean {
  return !schema.safeParse(0.5).success;
}
