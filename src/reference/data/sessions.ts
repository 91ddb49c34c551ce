import { createSecret, digestOf } from './secret.ts';
import { createRowLimit, type Sqlite } from './sqlite.ts';

/** The sign-ins on the consent pages. */
export interface Sessions {
  /** Starts a session and returns its key, which the browser stores in a cookie. */
  start(accountId: string, expiresAt: number): string;
  /** The id of the signed-in account; undefined when the session ended or expired. */
  accountIdOf(key: string, now: number): string | undefined;
  end(key: string): void;
  count(): number;
}

/** Stores at most `limit` sessions; the oldest is evicted first. Sessions are looked up by digest, like codes. */
export function createSessions(db: Sqlite, limit: number): Sessions {
  const rowLimit = createRowLimit(db, 'sessions', limit, 'SELECT min(id) FROM sessions');
  const insert = db.prepare('INSERT INTO sessions (hash, account_id, expires_at) VALUES (?, ?, ?)');
  const select = db
    .prepare<[Buffer, number], string>('SELECT account_id FROM sessions WHERE hash = ? AND expires_at > ?')
    .pluck();
  const remove = db.prepare('DELETE FROM sessions WHERE hash = ?');

  const start = db.transaction((accountId: string, expiresAt: number) => {
    rowLimit.makeRoom();
    const key = createSecret();
    insert.run(digestOf(key), accountId, expiresAt);
    return key;
  });

  return {
    start: start.immediate,
    accountIdOf: (key, now) => select.get(digestOf(key), now),
    end: (key) => {
      remove.run(digestOf(key));
    },
    count: rowLimit.count,
  };
}
