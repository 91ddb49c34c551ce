import type { Compilable } from 'kysely';
import { rememberFile } from './database-file.ts';
import {
  type Compiler,
  createCompiler,
  createIteration,
  once,
  type Prepared,
  prepare,
  prepareTuples,
  type QueryParameter,
} from './prepare.ts';
import { isBusy, type Sqlite } from './sqlite.ts';
import { movedError, StoreError, toStoreError } from './store-error.ts';

/** Builds a query; kysely compiles it. */
type Build<Parameters extends object, Row> = (db: Compiler, parameter: QueryParameter<Parameters>) => Compilable<Row>;

/** The key in `metadata`. */
const REVISION = 'revision';

/**
 * An open connection. It prepares the queries of the store's classes, and is the one place where writes are refused, run in a transaction
 * and tried again, and where errors become StoreErrors.
 */
export class Database {
  readonly sqlite: Sqlite;
  readonly path: string;
  /** Whether the path still names the opened file; false once that was deleted or replaced. */
  readonly isInPlace: () => boolean;
  readonly db = createCompiler();
  readonly #inTransaction;
  readonly #changes;
  readonly #nextRevision;

  constructor(sqlite: Sqlite, path: string, isInPlace = rememberFile(path)) {
    this.sqlite = sqlite;
    this.path = path;
    this.isInPlace = isInPlace;
    this.#changes = once(() => sqlite.prepare<[], number>('select total_changes()').pluck());
    this.#nextRevision = once(() =>
      sqlite.prepare(
        `insert into metadata values ('${REVISION}', '1') on conflict (key) do update set value = value + 1`,
      ),
    );
    this.#inTransaction = sqlite.transaction((work: () => unknown) => {
      const before = this.#changes().get();
      const result = work();
      if (this.#changes().get() !== before) this.#nextRevision().run();
      return result;
    });
  }

  /** Grows with every transaction that changed a row; 0 before the first. Stored in the database. */
  revision(): number {
    const row = this.sqlite
      .prepare<[string], { value: string }>('select value from metadata where key = ?')
      .get(REVISION);
    return Number(row?.value ?? 0);
  }

  /** See {@link prepare}. */
  prepare<Parameters extends object, Row>(build: Build<Parameters, Row>): Prepared<Parameters, Row> {
    return prepare(this.sqlite, (parameter: QueryParameter<Parameters>) => build(this.db, parameter));
  }

  /** See {@link prepareTuples}. */
  prepareTuples<Parameters extends object, Tuple extends readonly unknown[]>(build: Build<Parameters, object>) {
    return prepareTuples<Parameters, Tuple>(this.sqlite, (parameter) => build(this.db, parameter));
  }

  /** See {@link createIteration}. */
  prepareIteration<Parameters extends object, Row>(build: Build<Parameters, Row>) {
    return createIteration(() => this.prepare(build));
  }

  /** Changes whenever another connection commits; constant inside a transaction. */
  dataVersion(): number {
    return this.read(() => Number(this.sqlite.pragma('data_version', { simple: true })));
  }

  /** Reads rows. An exception that is not of SQLite comes from an invalid row. @throws {StoreError} */
  read<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      const converted = toStoreError(cause, this.path, 'working', this.isInPlace);
      if (converted instanceof StoreError) throw converted;
      if (!this.isInPlace()) throw movedError(this.path, { cause });
      throw new StoreError('corrupt', this.path, 'contains an invalid row; restore it from a backup', { cause });
    }
  }

  /** Streams rows; `rows` starts the iteration. @throws {StoreError} */
  *stream<Row, Result = Row>(
    rows: () => Iterable<Row>,
    map = (row: Row) => row as unknown as Result,
  ): IterableIterator<Result> {
    try {
      for (const row of rows()) yield this.read(() => map(row));
    } catch (error) {
      throw toStoreError(error, this.path, 'working', this.isInPlace);
    }
  }

  /**
   * Runs work in one write transaction, and once more if another connection holds the lock for longer than the busy time-out. Work inside
   * other work joins its transaction. @throws {StoreError}
   */
  write<Result>(work: () => Result): Result {
    if (this.sqlite.readonly) throw new StoreError('read-only', this.path, 'was opened read-only; open it for writing');
    if (this.sqlite.inTransaction) return work();
    try {
      try {
        return this.#inTransaction.immediate(work) as Result;
      } catch (error) {
        if (!isBusy(error)) throw error;
        return this.#inTransaction.immediate(work) as Result;
      }
    } catch (error) {
      throw toStoreError(error, this.path, 'working', this.isInPlace);
    }
  }
}

/**
 * Rows that belong together. Each class prepares its queries as fields; a query is compiled and prepared at its first execution.
 *
 *     readonly #drop = this.database.prepare((db, parameter: QueryParameter<{ id: number }>) =>
 *       db.deleteFrom('domains').where('id', '=', parameter('id')));
 */
export abstract class Rows {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }
}
