import type { Role } from '../store.ts';
import { lockExclusively } from './lock-file.ts';

/**
 * Takes a role on a database by locking a file beside it; the operating system frees the lock when the process dies. Null when another
 * connection has the role. The file stays: a removed file could be locked by a process that opened it before, beside its successor.
 *
 * @param path the {@link realPath} of the database, or two of its names would give two roles.
 */
export function takeRole(path: string, role: Role): Disposable | null {
  const lock = lockExclusively(`${path}.role-${role}`, { create: true });
  return lock === null ? null : { [Symbol.dispose]: () => lock.close() };
}
