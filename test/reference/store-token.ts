import type { ReferenceState } from '../../src/reference/state.ts';

export interface TokenOptions {
  /** Null: a token of the app, without a user. */
  username: string | null;
  /** Default `['read']`. */
  scopes?: readonly string[];
  /** Milliseconds since the epoch. Default null: never. */
  expiresAt?: number | null;
}

/** Stores a token directly in the data. Returns the request header that sends it. */
export function storeToken({ data, now }: ReferenceState, options: TokenOptions): { authorization: string } {
  const { username, scopes = ['read'], expiresAt = null } = options;
  const account = username === null ? null : data.accounts.findByUsername(username);
  if (account === undefined) throw new Error(`There is no account ${username}.`);
  const redirectUris = ['https://client.example/callback'];
  const { app } = data.apps.register({ name: 'Client', website: '', redirectUris, scopes }, now());
  const token = data.tokens.issue({
    appId: app.id,
    accountId: account?.id ?? null,
    scopes,
    codeHash: null,
    isPublic: false,
    createdAt: now(),
    expiresAt,
  });
  return { authorization: `Bearer ${token}` };
}
