/** How the cells of a column are written; `json`: any value, as JSON text. */
export type ColumnKind = 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'list' | 'json';

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
