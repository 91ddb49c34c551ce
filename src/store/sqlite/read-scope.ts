import { movedError, StoreError, toStoreError } from './store-error.ts';

/** Runs reads and converts SQLite errors, and exceptions for invalid rows, to StoreErrors. */
export interface ReadScope {
  once<Result>(read: () => Result): Result;
  /** Streams rows; each call of `rows` starts a new iteration. */
  each<Row, Result = Row>(rows: () => Iterable<Row>, map?: (row: Row) => Result): IterableIterator<Result>;
}

export function createReadScope(path: string, isInPlace: () => boolean): ReadScope {
  const understood = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (cause) {
      const translated = toStoreError(cause, path, 'working', isInPlace);
      if (translated instanceof StoreError) throw translated;
      if (!isInPlace()) throw movedError(path, { cause });
      const problem = 'contains an invalid row; restore it from a backup';
      throw new StoreError('corrupt', path, problem, { cause });
    }
  };
  return {
    once: understood,
    *each<Row, Result>(rows: () => Iterable<Row>, map = (row: Row) => row as unknown as Result) {
      try {
        for (const row of rows()) yield understood(() => map(row));
      } catch (error) {
        throw toStoreError(error, path, 'working', isInPlace);
      }
    },
  };
}
