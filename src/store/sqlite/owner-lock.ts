import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lockExclusively, removeLocked } from './lock-file.ts';

/** Proof that an owner of leases is alive: a file lock that the operating system frees when its process dies. */
export interface OwnerLock {
  readonly owner: string;
  /** Gives up the lock and removes its file. The owner must hold no lease any more. */
  release(): void;
}

/** Becomes a new owner of leases on the database at `path`. */
export function takeOwnerLock(path: string): OwnerLock {
  for (;;) {
    const owner = randomUUID();
    const file = lockFile(path, owner);
    const lock = lockExclusively(file, { create: true });
    if (lock === null) continue;
    // Between its creation and its locking, a sweep may have taken the file for a dead owner's.
    if (existsSync(file)) return { owner, release: () => removeLocked(file, lock) };
    lock.close();
  }
}

/**
 * If the owner is dead, runs `reclaim` while no other process can do the same, removes its lock file and answers true.
 * An owner without a file is dead: the file is there before the first lease and goes after the last.
 */
export function ifDead(path: string, owner: string, reclaim: () => void): boolean {
  const file = lockFile(path, owner);
  if (!existsSync(file)) {
    reclaim();
    return true;
  }
  const lock = lockExclusively(file, { create: false });
  if (lock === null) return false;
  try {
    reclaim();
  } finally {
    removeLocked(file, lock);
  }
  return true;
}

/** Whether an owner is dead, for who must not change anything; false when that can not be told. */
export function isDead(path: string, owner: string): boolean {
  const file = lockFile(path, owner);
  if (!existsSync(file)) return true;
  try {
    const lock = lockExclusively(file, { create: false });
    lock?.close();
    return lock !== null;
  } catch {
    return false;
  }
}

/** The owners that have a lock file, dead or alive. */
export function knownOwners(path: string): string[] {
  const prefix = basename(lockFile(path, ''));
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((owner) => /^[0-9a-f-]{36}$/.test(owner));
}

function lockFile(path: string, owner: string): string {
  return join(dirname(path), `${basename(path)}.owner-${owner}`);
}
