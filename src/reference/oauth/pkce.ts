import { createHash, timingSafeEqual } from 'node:crypto';

/** The one method there is: `plain` protects from nothing that PKCE is for (RFC 9700 section 2.1.1). */
export const challengeMethod = 'S256';

// A SHA-256 digest in base64url without padding is 43 characters long.
const challengeForm = /^[\w-]{43}$/;
const verifierForm = /^[\w\-.~]{43,128}$/;

/** Whether a text can be a challenge of S256 (RFC 7636 section 4.2). */
export function isChallenge(text: string): boolean {
  return challengeForm.test(text);
}

/** Whether `verifier` is what `challenge` was made of (RFC 7636 section 4.6); compares in constant time. */
export function verifierMatches(verifier: string, challenge: string): boolean {
  if (!verifierForm.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest('base64url');
  return isChallenge(challenge) && timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}
