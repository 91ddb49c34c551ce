import { movedError, StoreError, toStoreError } from './store-error.ts';

/** Reads rows and converts SQLite errors, and exceptions for invalid rows, to StoreErrors. */
export interface ReadScope {
  read<Result>(read: () => Result): Result;
  /** Streams rows; each call of `rows` starts a new iteration. */
  stream<Row, Result = Row>(rows: () => Iterable<Row>, map?: (row: Row) => Result): IterableIterator<Result>;
}

export function createReadScope(path: string, isInPlace: () => boolean): ReadScope {
  const convertErrors = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (cause) {
      const converted = toStoreError(cause, path, 'working', isInPlace);
      if (converted instanceof StoreError) throw converted;
      if (!isInPlace()) throw movedError(path, { cause });
      const problem = 'contains an invalid row; restore it from a backup';
      throw new StoreError('corrupt', path, problem, { cause });
    }
  };
  return {
    read: convertErrors,
    *stream<Row, Result>(rows: () => Iterable<Row>, map = (row: Row) => row as unknown as Result) {
      try {
        for (const row of rows()) yield convertErrors(() => map(row));
      } catch (error) {
        throw toStoreError(error, path, 'working', isInPlace);
      }
    },
  };
}
