import { StoreError } from './store-error.ts';

/** The file at the path is not the one that was opened: what is recorded now goes nowhere. */
export function movedError(path: string, options?: ErrorOptions): StoreError {
  const problem =
    'was moved, deleted or replaced while it was in use; put the file back or start anew, what was recorded since may be lost';
  return new StoreError('moved', path, problem, options);
}
