import type { NewToken } from '../data/tokens.ts';
import type { TokenRecord } from '../resources/token-record.ts';
import type { ReferenceState } from '../state.ts';

/** Makes a token that starts now and holds as long as the state says, and its record. */
export function issueToken(state: ReferenceState, token: Omit<NewToken, 'createdAt' | 'expiresAt'>): TokenRecord {
  const now = Math.floor(state.now());
  const { token: lifetime } = state.lifetimes;
  const expiresAt = lifetime === null ? null : Math.round(now + lifetime * 1000);
  const text = state.data.tokens.issue({ ...token, createdAt: now, expiresAt });
  return {
    access_token: text,
    token_type: 'Bearer',
    scope: token.scopes.join(' '),
    created_at: Math.floor(now / 1000),
  };
}
