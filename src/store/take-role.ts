import { identityOf } from './in-place.ts';
import { lockExclusively, removeLocked } from './lock-file.ts';
import type { Role } from './store.ts';

/**
 * Takes a role on a database by locking a file beside it, which the operating system frees when its process dies. Null when another
 * connection has the role.
 *
 * @param path the one {@link realPath} of the database, or two of its names would give two roles.
 */
export function takeRole(path: string, role: Role): Disposable | null {
  const file = `${path}.role-${role}`;
  for (;;) {
    const before = identityOf(file);
    const lock = lockExclusively(file, { create: true });
    if (lock === null) return null;
    // Whoever had the role before may have removed the file while it was being opened: then the lock is on a file that
    // nobody else will find. A file that was not there can not be told from its successor, and is opened again.
    if (before !== null && identityOf(file) === before) {
      return { [Symbol.dispose]: () => lock.open && removeLocked(file, lock) };
    }
    lock.close();
  }
}
