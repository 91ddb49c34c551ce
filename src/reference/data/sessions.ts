import { createSecret, digestOf } from './secret.ts';
import { createRowLimit, type Sqlite } from './sqlite.ts';

/** Stores at most `limit` sessions; the oldest is evicted first. Sessions are looked up by digest, like codes. */
export function createSessions(db: Sqlite, limit: number) {
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
    /** Starts a session and returns its key, which the browser stores in a cookie. */
    start: start.immediate,
    /** The id of the signed-in account; undefined when the session ended or expired. */
    accountIdOf: (key: string, now: number): string | undefined => select.get(digestOf(key), now),
    end: (key: string) => {
      remove.run(digestOf(key));
    },
    count: rowLimit.count,
  };
}

/** The sign-ins on the consent pages. */
export type Sessions = ReturnType<typeof createSessions>;
