import { createSecret, digestOf } from './secret.ts';
import { createRoom, type Sqlite } from './sqlite.ts';

export interface NewToken {
  readonly appId: number;
  /** Null: a token of the app itself, without a user. */
  readonly accountId: string | null;
  readonly scopes: readonly string[];
  /** Digest of the code it was given for; null for a token of the app itself. */
  readonly codeHash: Buffer | null;
  /** Whether it was given to a client that showed no secret, only the verifier of PKCE. */
  readonly isPublic: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch; null: never. */
  readonly expiresAt: number | null;
}

export interface KeptToken extends NewToken {
  readonly hash: Buffer;
}

export interface Tokens {
  /** Makes a token, which is told this once. */
  issue(token: NewToken): string;
  /** Undefined when it was revoked, dropped, never given, or has expired at `now`. */
  find(token: string, now: number): KeptToken | undefined;
  revoke(token: KeptToken): void;
  /** Revokes what a code gave; returns how many there were. */
  revokeGivenFor(codeHash: Buffer): number;
  count(): number;
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
 * The oldest token of the app that has most goes first; of the app that gets another one, when none has more. So one app can not push
 * out the tokens of others, unless they have more than it has.
 */
const firstToGo = `
  SELECT min(id) FROM tokens WHERE app_id = coalesce(
    (SELECT id FROM apps WHERE id = ? AND token_count >= (SELECT max(token_count) FROM apps)),
    (SELECT id FROM apps ORDER BY token_count DESC, id DESC LIMIT 1))`;

/** Keeps at most `limit` tokens. Found by digest, as codes are. */
export function createTokens(db: Sqlite, limit: number): Tokens {
  const room = createRoom(db, 'tokens', limit, firstToGo);
  const insert = db.prepare(`
    INSERT INTO tokens (hash, app_id, account_id, code_hash, scopes, is_public, created_at, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[Buffer, number], Row>(`
    SELECT * FROM tokens WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)`);
  const remove = db.prepare('DELETE FROM tokens WHERE hash = ?');
  const removeGivenFor = db.prepare('DELETE FROM tokens WHERE code_hash = ?');

  const issue = db.transaction((token: NewToken) => {
    room.make(token.appId);
    const text = createSecret();
    const { appId, accountId, codeHash, scopes, isPublic, createdAt, expiresAt } = token;
    const row = [appId, accountId, codeHash, scopes.join(' '), isPublic ? 1 : 0, createdAt, expiresAt];
    insert.run(digestOf(text), ...row);
    return text;
  });

  return {
    issue: issue.immediate,
    find: (token, now) => {
      const row = select.get(digestOf(token), now);
      return row === undefined ? undefined : tokenOf(row);
    },
    revoke: ({ hash }) => {
      remove.run(hash);
    },
    revokeGivenFor: (codeHash) => removeGivenFor.run(codeHash).changes,
    count: room.count,
  };
}

function tokenOf(row: Row): KeptToken {
  return {
    hash: row.hash,
    appId: row.app_id,
    accountId: row.account_id,
    codeHash: row.code_hash,
    scopes: row.scopes.split(' '),
    isPublic: row.is_public === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
