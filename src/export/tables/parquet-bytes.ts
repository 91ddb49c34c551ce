import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { type Column, type Row, textOf } from './column.ts';

/** Rows per row group; writers and readers hold a whole group in memory. */
export const ROWS_OF_GROUP = 10_000;

/**
 * A table as Apache Parquet, a row group at a time. Times are INT64 TIMESTAMP in milliseconds, UTC; whole numbers INT64; texts UTF-8;
 * lists LIST of UTF-8; values of kind `any` are texts, as in CSV. Null is null. Accepts rows one at a time; returned bytes are valid until
 * the next call.
 */
export class ParquetTable {
  readonly #columns: readonly Column[];
  readonly #writer = new ByteWriter();
  readonly #file: ParquetWriter;
  #data: unknown[][];
  #rowCount = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#file = new ParquetWriter({ writer: this.#writer, schema: schemaOf(columns), createdBy: 'loopscout' });
    this.#data = columns.map(() => []);
  }

  /** Returns true when a group is full and must be taken. */
  add(row: Row): boolean {
    for (const [index, column] of this.#columns.entries()) {
      this.#data[index]?.push(parquetValueOf(column, column.valueOf(row)));
    }
    this.#rowCount += 1;
    return this.#rowCount === ROWS_OF_GROUP;
  }

  takeGroup(): Uint8Array {
    this.#writeGroup();
    return this.#takeBytes();
  }

  finish(): Uint8Array {
    if (this.#rowCount > 0) this.#writeGroup();
    this.#file.finish();
    return this.#takeBytes();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(({ name }, index) => ({ name, data: this.#data[index] ?? [] }));
    this.#file.write({ columnData, rowGroupSize: ROWS_OF_GROUP });
    this.#data = this.#columns.map(() => []);
    this.#rowCount = 0;
  }

  #takeBytes(): Uint8Array {
    const bytes = this.#writer.getBytes();
    this.#writer.index = 0;
    return bytes;
  }
}

function parquetValueOf({ kind }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'time') return BigInt(Date.parse(String(value)));
  if (kind === 'integer') return BigInt(Number(value));
  return kind === 'any' ? textOf(value) : value;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;

function elementsOf({ name, kind, isNullable }: Column): SchemaElement[] {
  const field = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  switch (kind) {
    case 'time':
      return [
        {
          ...field,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MILLIS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
        },
      ];
    case 'integer':
      // INT64 without a logical type is a signed integer; hyparquet-writer encodes the bit width of INTEGER in a way that DuckDB refuses.
      return [{ ...field, type: 'INT64' }];
    case 'number':
      return [{ ...field, type: 'DOUBLE' }];
    case 'boolean':
      return [{ ...field, type: 'BOOLEAN' }];
    case 'list':
      return [
        { ...field, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', ...TEXT },
      ];
    default:
      return [{ ...field, ...TEXT }];
  }
}
