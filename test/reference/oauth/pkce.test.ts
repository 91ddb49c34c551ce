import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isChallenge, verifierMatches } from '../../../src/reference/oauth/pkce.ts';

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('PKCE', () => {
  it('accepts the verifier of the example in RFC 7636, and no similar one', () => {
    expect(verifierMatches(verifier, challenge)).toBe(true);
    for (const wrong of [
      '',
      verifier.slice(1),
      `${verifier}=`,
      challenge,
      `${verifier} `,
      `${verifier.slice(0, -1)}K`,
    ]) {
      expect(verifierMatches(wrong, challenge)).toBe(false);
    }
    expect(verifierMatches(verifier, '')).toBe(false);
    expect(verifierMatches(verifier, 'é'.repeat(43))).toBe(false);
  });

  it('refuses verifiers of under 43 or over 128 characters, even if they match the challenge', () => {
    const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');
    const accepted = [42, 43, 128, 129].map((length) =>
      verifierMatches('~'.repeat(length), challengeOf('~'.repeat(length))),
    );
    expect(accepted).toEqual([false, true, true, false]);
  });

  it('accepts as a challenge only what can be a SHA-256 digest in base64url', () => {
    const invalidChallenges = [
      '',
      challenge.slice(1),
      `${challenge}A`,
      `${challenge}=`,
      challenge.replace('-', '+'),
      '.'.repeat(43),
    ];
    expect([challenge, ...invalidChallenges].map(isChallenge)).toEqual([true, ...invalidChallenges.map(() => false)]);
  });
});
