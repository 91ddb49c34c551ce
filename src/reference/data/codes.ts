import { createSecret, digestOf } from './secret.ts';
import { createRoom, type Sqlite } from './sqlite.ts';

/** What an authorization code stands for. */
export interface Grant {
  readonly appId: number;
  readonly accountId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The S256 challenge of PKCE (RFC 7636), or null. */
  readonly challenge: string | null;
}

export interface KeptCode extends Grant {
  readonly hash: Buffer;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Milliseconds since the epoch; null: not redeemed yet. */
  readonly redeemedAt: number | null;
}

export interface Codes {
  /** Makes a code, which is told this once. */
  issue(grant: Grant, expiresAt: number): string;
  find(code: string): KeptCode | undefined;
  /** True for the first call only. */
  redeem(code: KeptCode, now: number): boolean;
  count(): number;
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
 * Keeps at most `limit` codes; the oldest goes first. Redeemed and expired ones stay until then, so that one that is used again is known.
 * Found by digest: how far a comparison of digests gets tells nothing of a code, so that the index is no leak.
 */
export function createCodes(db: Sqlite, limit: number): Codes {
  const room = createRoom(db, 'codes', limit, 'SELECT min(id) FROM codes');
  const insert = db.prepare(`
    INSERT INTO codes (hash, app_id, account_id, redirect_uri, scopes, challenge, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[Buffer], Row>('SELECT * FROM codes WHERE hash = ?');
  const redeem = db.prepare('UPDATE codes SET redeemed_at = ? WHERE hash = ? AND redeemed_at IS NULL');

  const issue = db.transaction((grant: Grant, expiresAt: number) => {
    room.make();
    const code = createSecret();
    const { appId, accountId, redirectUri, scopes, challenge } = grant;
    insert.run(digestOf(code), appId, accountId, redirectUri, scopes.join(' '), challenge, expiresAt);
    return code;
  });

  return {
    issue: issue.immediate,
    find: (code) => {
      const row = select.get(digestOf(code));
      return row === undefined ? undefined : codeOf(row);
    },
    redeem: ({ hash }, now) => redeem.run(now, hash).changes === 1,
    count: room.count,
  };
}

function codeOf(row: Row): KeptCode {
  return {
    hash: row.hash,
    appId: row.app_id,
    accountId: row.account_id,
    redirectUri: row.redirect_uri,
    scopes: row.scopes.split(' '),
    challenge: row.challenge,
    expiresAt: row.expires_at,
    redeemedAt: row.redeemed_at,
  };
}
