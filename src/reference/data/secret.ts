import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret of 256 random bits, in 43 characters of base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns a function that creates secrets as above; the same text gives the same ones. For tests: who knows the text knows them. */
export function seededSecrets(text: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return createHmac('sha256', text).update(`${count}`).digest('base64url');
  };
}

/** The stored SHA-256 digest of a secret, 32 bytes. Only for secrets of `createSecret`, never for passwords. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares a secret with a stored digest in constant time. */
export function secretMatches(secret: string, digest: Uint8Array): boolean {
  return timingSafeEqual(digestOf(secret), digest);
}
