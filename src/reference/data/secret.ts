import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret of 256 random bits, in 43 characters of base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret: its SHA-256 digest, 32 bytes. Enough for secrets of `createSecret`, not for passwords. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares a secret with a digest that was kept; takes the same time wherever they differ. */
export function matches(secret: string, digest: Uint8Array): boolean {
  return timingSafeEqual(digestOf(secret), digest);
}
