import { digestOf } from './secret.ts';
import { createRowLimit, type Sqlite } from './sqlite.ts';

/** The grant that an authorization code represents. */
export interface Grant {
  readonly appId: number;
  readonly accountId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The S256 challenge of PKCE (RFC 7636), or null. */
  readonly challenge: string | null;
}

export interface StoredCode extends Grant {
  readonly hash: Buffer;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Milliseconds since the epoch; null: not redeemed yet. */
  readonly redeemedAt: number | null;
}

interface Row {
  hash: Buffer;
  app_id: number;
  account_id: string;
  redirect_uri: string;
  scopes: string;
  challenge: string | null;
  expires_at: number;
  redeemed_at: number | null;
}

/**
 * Stores at most `limit` codes; the oldest is evicted first. Redeemed and expired codes stay until they are evicted, so that a
 * replay is recognised. Codes are looked up by digest, so that the timing of the index reveals nothing about a code.
 */
export function createCodes(db: Sqlite, limit: number, newSecret: () => string) {
  const rowLimit = createRowLimit(db, 'codes', limit, 'SELECT min(id) FROM codes');
  const insert = db.prepare(`
    INSERT INTO codes (hash, app_id, account_id, redirect_uri, scopes, challenge, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[Buffer], Row>('SELECT * FROM codes WHERE hash = ?');
  const redeem = db.prepare('UPDATE codes SET redeemed_at = ? WHERE hash = ? AND redeemed_at IS NULL');

  const issue = db.transaction((grant: Grant, expiresAt: number) => {
    rowLimit.makeRoom();
    const code = newSecret();
    const { appId, accountId, redirectUri, scopes, challenge } = grant;
    insert.run(digestOf(code), appId, accountId, redirectUri, scopes.join(' '), challenge, expiresAt);
    return code;
  });

  return {
    /** Creates a code, which cannot be read again. */
    issue: issue.immediate,
    find: (code: string): StoredCode | undefined => {
      const row = select.get(digestOf(code));
      return row === undefined ? undefined : codeOf(row);
    },
    /** Marks a code as redeemed. True for the first call only. */
    redeem: ({ hash }: StoredCode, now: number) => redeem.run(now, hash).changes === 1,
    count: rowLimit.count,
  };
}

export type Codes = ReturnType<typeof createCodes>;

function codeOf(row: Row): StoredCode {
  return {
    hash: row.hash,
    appId: row.app_id,
    accountId: row.account_id,
    redirectUri: row.redirect_uri,
    scopes: row.scopes.split(' ').filter((scope) => scope !== ''),
    challenge: row.challenge,
    expiresAt: row.expires_at,
    redeemedAt: row.redeemed_at,
  };
}
