import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from './store/store.ts';

/** Another process writes the files of this database. */
export class ExportingError extends Error {
  override readonly name = 'ExportingError';
  readonly kind = 'failure';
}

const PATIENCE_MS = 120_000;
const PAUSE_MS = 200;

/**
 * Takes the role of the one process that writes the files of a database, and waits for another to end.
 *
 * @param clock monotonic, in milliseconds.
 * @throws {ExportingError} when it does not; the signal's reason when that aborts.
 */
export async function takeExportRole(
  store: Pick<Store, 'takeRole'>,
  { dir, clock, signal }: { dir: string; clock: () => number; signal: AbortSignal },
): Promise<Disposable> {
  for (const startedAt = clock(); clock() - startedAt < PATIENCE_MS; await delay(PAUSE_MS)) {
    const role = store.takeRole('export');
    if (role !== null) return role;
    signal.throwIfAborted();
  }
  throw new ExportingError(
    `another process has been exporting this database for two minutes, and ${dir} was not written; try again when it is done`,
  );
}
