import { digestOf } from './secret.ts';
import { createRowLimit, type Sqlite } from './sqlite.ts';

export interface NewToken {
  readonly appId: number;
  /** Null: a token of the app itself, without a user. */
  readonly accountId: string | null;
  readonly scopes: readonly string[];
  /** Digest of the code that it was issued for; null: issued without a code. */
  readonly codeHash: Buffer | null;
  /** Whether the client authenticated by PKCE alone, without a secret. */
  readonly isPublic: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; null: it never expires. */
  readonly expiresAt: number | null;
}

export interface StoredToken extends NewToken {
  readonly hash: Buffer;
}

interface Row {
  hash: Buffer;
  app_id: number;
  account_id: string | null;
  code_hash: Buffer | null;
  scopes: string;
  is_public: number;
  created_at: number;
  expires_at: number | null;
}

/**
 * The token that is evicted next: the oldest token of the app with the most tokens; on a tie, of the app that receives the new
 * token. An app therefore cannot evict the tokens of another app that has fewer.
 */
const nextEvicted = `
  SELECT min(id) FROM tokens WHERE app_id = coalesce(
    (SELECT id FROM apps WHERE id = ? AND token_count >= (SELECT max(token_count) FROM apps)),
    (SELECT id FROM apps ORDER BY token_count DESC, id DESC LIMIT 1))`;

/** Stores at most `limit` tokens. Tokens are looked up by digest, like codes. */
export function createTokens(db: Sqlite, limit: number, newSecret: () => string) {
  const rowLimit = createRowLimit(db, 'tokens', limit, nextEvicted);
  const insert = db.prepare(`
    INSERT INTO tokens (hash, app_id, account_id, code_hash, scopes, is_public, created_at, expires_at, refresh_hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[Buffer, number], Row>(`
    SELECT * FROM tokens WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)`);
  const selectByRefresh = db.prepare<[Buffer], Row>('SELECT * FROM tokens WHERE refresh_hash = ?');
  const selectScopes = db
    .prepare<[number, string, number], string>(`
      SELECT scopes FROM tokens WHERE app_id = ? AND account_id = ? AND (expires_at IS NULL OR expires_at > ?)`)
    .pluck();
  const removeOf = db.prepare('DELETE FROM tokens WHERE account_id = ?');
  const remove = db.prepare('DELETE FROM tokens WHERE hash = ?');
  const removeIssuedFor = db.prepare('DELETE FROM tokens WHERE code_hash = ?');

  const issue = db.transaction((token: NewToken, refreshToken?: string) => {
    rowLimit.makeRoom(token.appId);
    const secret = newSecret();
    const { appId, accountId, codeHash, scopes, isPublic, createdAt, expiresAt } = token;
    const row = [appId, accountId, codeHash, scopes.join(' '), isPublic ? 1 : 0, createdAt, expiresAt];
    insert.run(digestOf(secret), ...row, refreshToken === undefined ? null : digestOf(refreshToken));
    return secret;
  });

  return {
    /** Creates a token, which cannot be read again. */
    issue: issue.immediate,
    /** Undefined when it is unknown, revoked, evicted, or expired at `now`. */
    find: (token: string, now: number): StoredToken | undefined => {
      const row = select.get(digestOf(token), now);
      return row === undefined ? undefined : tokenOf(row);
    },
    /** The token that was issued with a refresh token, even if it has expired. */
    findByRefreshToken: (refreshToken: string): StoredToken | undefined => {
      const row = selectByRefresh.get(digestOf(refreshToken));
      return row === undefined ? undefined : tokenOf(row);
    },
    /** Whether an app has a token of the user, valid at `now`, with all these scopes. */
    hasGranted: (appId: number, accountId: string, scopes: readonly string[], now: number) =>
      selectScopes.all(appId, accountId, now).some((granted) => {
        const words = granted.split(' ');
        return scopes.every((scope) => words.includes(scope));
      }),
    /** Revokes every token of a user. */
    revokeAllOf: (accountId: string) => {
      removeOf.run(accountId);
    },
    revoke: ({ hash }: StoredToken) => {
      remove.run(hash);
    },
    /** Revokes the tokens that were issued for a code; returns their number. */
    revokeIssuedFor: (codeHash: Buffer) => removeIssuedFor.run(codeHash).changes,
    count: rowLimit.count,
  };
}

export type Tokens = ReturnType<typeof createTokens>;

function tokenOf(row: Row): StoredToken {
  return {
    hash: row.hash,
    appId: row.app_id,
    accountId: row.account_id,
    codeHash: row.code_hash,
    scopes: row.scopes.split(' ').filter((scope) => scope !== ''),
    isPublic: row.is_public === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
