import { type Compilable, sql } from 'kysely';
import { rememberFile } from './database-file.ts';
import { type Compiler, createCompiler, Query, type QueryParameter } from './prepare.ts';
import { isBusy, type Sqlite } from './sqlite.ts';
import { movedError, StoreError, toStoreError } from './store-error.ts';

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
  readonly #compiler = createCompiler();
  readonly #inTransaction;
  readonly #changes;
  readonly #revision;
  readonly #nextRevision;

  constructor(sqlite: Sqlite, path: string, isInPlace = rememberFile(path)) {
    this.sqlite = sqlite;
    this.path = path;
    this.isInPlace = isInPlace;
    this.#changes = this.prepare((db) => db.selectNoFrom(sql<number>`total_changes()`.as('count')));
    this.#revision = this.prepare((db) => db.selectFrom('metadata').select('value').where('key', '=', REVISION));
    this.#nextRevision = this.prepare((db) =>
      db
        .insertInto('metadata')
        .values({ key: REVISION, value: '1' })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql`metadata.value + 1` })),
    );
    this.#inTransaction = sqlite.transaction((work: () => unknown) => {
      const before = this.#changes.get({})?.count;
      const result = work();
      if (this.#changes.get({})?.count !== before) this.#nextRevision.run({});
      return result;
    });
  }

  /** Grows with every transaction that changed a row; 0 before the first. Stored in the database. */
  revision(): number {
    return Number(this.#revision.get({})?.value ?? 0);
  }

  prepare<Parameters extends object, Row>(
    build: (db: Compiler, parameter: QueryParameter<Parameters>) => Compilable<Row>,
  ): Query<Parameters, Row> {
    return new Query(this.sqlite, (parameter: QueryParameter<Parameters>) => build(this.#compiler, parameter));
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

  /** Streams rows. @throws {StoreError} */
  *stream<Row, Result = Row>(
    rows: Iterable<Row>,
    map = (row: Row) => row as unknown as Result,
  ): IterableIterator<Result> {
    try {
      for (const row of rows) yield this.read(() => map(row));
    } catch (error) {
      throw toStoreError(error, this.path, 'working', this.isInPlace);
    }
  }

  /** Runs work in one write transaction, which fails with the error of SQLite. Otherwise use {@link write}. */
  attempt<Result>(work: () => Result): Result {
    return this.#inTransaction.immediate(work) as Result;
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
        return this.attempt(work);
      } catch (error) {
        if (!isBusy(error)) throw error;
        return this.attempt(work);
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
