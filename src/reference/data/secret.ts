import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret of 256 random bits, in 43 characters of base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored SHA-256 digest of a secret, 32 bytes. Only for secrets of `createSecret`, never for passwords. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares a secret with a stored digest in constant time. */
export function secretMatches(secret: string, digest: Uint8Array): boolean {
  return timingSafeEqual(digestOf(secret), digest);
}
