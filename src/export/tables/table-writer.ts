import { jsonLine } from '../../directory/formatting.ts';
import type { Chunk } from '../files/blocks.ts';
import type { Part } from '../files/stage-file.ts';
import type { Column, Row } from './column.ts';
import { csvHeader, csvLines } from './csv-text.ts';
import { ParquetTable } from './parquet-bytes.ts';

/** Turns the rows of a table into the content of a file, batch by batch. */
export interface Format<Line> {
  rows(batch: readonly Line[]): Iterable<Chunk>;
  /** What stands before and after all rows. */
  readonly head?: Iterable<Chunk>;
  end?(): Iterable<Chunk>;
}

/** One line of JSON per row. */
export function ndjson(): Format<unknown> {
  return { rows: (batch) => [batch.map((row) => `${jsonLine(row)}\n`).join('')] };
}

export function csv(columns: readonly Column[]): Format<Row> {
  return { head: [csvHeader(columns)], rows: (batch) => [csvLines(columns, batch)] };
}

export function parquet(columns: readonly Column[]): Format<Row> {
  const table = new ParquetTable(columns);
  return {
    *rows(batch) {
      for (const row of batch) if (table.add(row)) yield table.takeGroup();
    },
    end: () => [table.finish()],
  };
}

const BATCH = 500;

/** Writes a table into several files, each in a format of its own, in one pass over its rows: reading them costs most. */
export class TableWriter<Line> {
  readonly #formats: ReadonlyMap<number, Format<Line>>;
  #batch: Line[] = [];
  #hasBegun = false;

  /** @param formats by the index of the file among those of the pass. */
  constructor(formats: Readonly<Record<number, Format<Line>>> | readonly Format<Line>[]) {
    this.#formats = new Map(Object.entries(formats).map(([file, format]) => [Number(file), format]));
  }

  /** Returns true when the parts of a batch must be taken. */
  add(row: Line): boolean {
    this.#batch.push(row);
    return this.#batch.length === BATCH;
  }

  *take(): Iterable<Part> {
    const rows = this.#batch.length;
    for (const [file, format] of this.#formats) {
      if (!this.#hasBegun) yield* partsOf(file, format.head ?? []);
      yield { file, chunk: '', rows };
      if (rows > 0) yield* partsOf(file, format.rows(this.#batch));
    }
    this.#hasBegun = true;
    this.#batch = [];
  }

  *finish(): Iterable<Part> {
    yield* this.take();
    for (const [file, format] of this.#formats) yield* partsOf(file, format.end?.() ?? []);
  }

  /** All parts of a table. */
  *write(rows: Iterable<Line>): Iterable<Part> {
    for (const row of rows) if (this.add(row)) yield* this.take();
    yield* this.finish();
  }

  async *writeAsync(rows: AsyncIterable<Line>): AsyncIterable<Part> {
    for await (const row of rows) if (this.add(row)) yield* this.take();
    yield* this.finish();
  }
}

function* partsOf(file: number, chunks: Iterable<Chunk>): Iterable<Part> {
  for (const chunk of chunks) yield { file, chunk };
}
