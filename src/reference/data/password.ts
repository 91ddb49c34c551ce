import { scryptSync, timingSafeEqual } from 'node:crypto';

/**
 * Two milliseconds of work. Much less than a service with people on it should take (N=131072), because the passwords here
 * are printed at the start, and because every server of a test is to start quickly.
 */
const cost = { N: 1024, r: 8, p: 1 };

/** What is kept of a password: its scrypt digest, 32 bytes. */
export function hashPassword(password: string, salt: Uint8Array): Buffer {
  return scryptSync(password.normalize('NFC'), salt, 32, cost);
}

/** Compares a password with a digest that was kept; takes the same time wherever they differ. */
export function passwordMatches(password: string, salt: Uint8Array, hash: Uint8Array): boolean {
  return timingSafeEqual(hashPassword(password, salt), hash);
}
