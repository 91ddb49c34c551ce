import { z } from 'zod';
import { columnName, type Leaf, leavesOf } from '../../directory/schema/fields.ts';
import { joinItems } from './list-cell.ts';

/** Cell type of a column; `any` is any fact, as text. */
type ColumnKind = 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'list' | 'any';

export interface Column {
  /** Path of the field, joined by underscores. */
  readonly name: string;
  readonly path: readonly string[];
  /** The value of a row; undefined when it has none. */
  readonly valueOf: (row: Row) => unknown;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
}

/** An object with the fields of the columns at their paths. */
export type Row = Readonly<Record<string, unknown>>;

/** The text of a cell of kind `any`. */
export function textOf(value: unknown): string {
  return Array.isArray(value) ? joinItems(value) : String(value);
}

/** The columns of a shape: one per leaf, in order. */
export function columnsOf(shape: z.ZodObject): Column[] {
  return leavesOf(shape).map(({ path, schema }) => ({
    name: columnName(path),
    path,
    valueOf: readerOf(path),
    kind: kindOf(schema),
    isNullable: schema.safeParse(null).success,
  }));
}

function readerOf(path: readonly string[]): Column['valueOf'] {
  const [first = '', ...rest] = path;
  if (rest.length === 0) return (row) => row[first];
  const inner = readerOf(rest);
  return (row) => inner(row[first] as Row);
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
