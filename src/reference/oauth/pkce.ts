import { createHash, timingSafeEqual } from 'node:crypto';

/** The only supported method: `plain` gives no protection (RFC 9700 section 2.1.1). */
export const challengeMethod = 'S256';

// A SHA-256 digest in base64url without padding is 43 characters long.
const challengeForm = /^[\w-]{43}$/;
// The characters and lengths of RFC 7636 section 4.1.
const verifierForm = /^[\w\-.~]{43,128}$/;

/** Whether a text has the form of an S256 challenge (RFC 7636 section 4.2). */
export function isChallenge(text: string): boolean {
  return challengeForm.test(text);
}

/** Whether `verifier` hashes to `challenge` (RFC 7636 section 4.6). Compares in constant time. */
export function verifierMatches(verifier: string, challenge: string): boolean {
  if (!verifierForm.test(verifier)) return false;
  const expected = createHash('sha256').update(verifier).digest('base64url');
  return isChallenge(challenge) && timingSafeEqual(Buffer.from(expected), Buffer.from(challenge));
}
