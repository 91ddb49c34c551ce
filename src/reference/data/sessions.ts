import { createSecret, digestOf } from './secret.ts';
import { createRoom, type Sqlite } from './sqlite.ts';

/** Who is signed in on the consent pages. */
export interface Sessions {
  /** Makes the key of a session, which the browser keeps in a cookie. */
  start(accountId: string, expiresAt: number): string;
  /** The account signed in; undefined when the session ended or expired. */
  accountOf(key: string, now: number): string | undefined;
  end(key: string): void;
  count(): number;
}

/** Keeps at most `limit` sessions; the oldest goes first. Found by digest, as codes are. */
export function createSessions(db: Sqlite, limit: number): Sessions {
  const room = createRoom(db, 'sessions', limit, 'SELECT min(id) FROM sessions');
  const insert = db.prepare('INSERT INTO sessions (hash, account_id, expires_at) VALUES (?, ?, ?)');
  const select = db
    .prepare<[Buffer, number], string>('SELECT account_id FROM sessions WHERE hash = ? AND expires_at > ?')
    .pluck();
  const remove = db.prepare('DELETE FROM sessions WHERE hash = ?');

  const start = db.transaction((accountId: string, expiresAt: number) => {
    room.make();
    const key = createSecret();
    insert.run(digestOf(key), accountId, expiresAt);
    return key;
  });

  return {
    start: start.immediate,
    accountOf: (key, now) => select.get(digestOf(key), now),
    end: (key) => {
      remove.run(digestOf(key));
    },
    count: room.count,
  };
}
