import { createSecret, digestOf, matches } from './secret.ts';
import { createRoom, type Sqlite } from './sqlite.ts';

/** A registered app. Its secret is not in it: only whether a given one is right can be asked. */
export interface App {
  readonly id: number;
  readonly clientId: string;
  readonly name: string;
  /** Empty when none was given. */
  readonly website: string;
  /** At least one, in the order given. */
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface NewApp {
  name: string;
  website: string;
  redirectUris: readonly string[];
  scopes: readonly string[];
}

export interface Apps {
  /** Keeps an app and returns it with its secret, which is told this once. */
  register(app: NewApp, now: number): { app: App; secret: string };
  find(clientId: string): App | undefined;
  /** Compares in constant time; for an app that is not there with a secret that nobody has, so that it takes as long. */
  secretMatches(app: App | undefined, secret: string): boolean;
  /** Notes that an app was used, so that it is not among the first to go. */
  touch(id: number): void;
  count(): number;
}

interface Row {
  id: number;
  client_id: string;
  name: string;
  website: string;
  redirect_uris: string;
  scopes: string;
  created_at: number;
}

/**
 * Which app goes first, and its codes and tokens with it: the oldest of those that were never used, so that nobody can push out an app
 * that works by registering others; but `spare` of them stay, so that there is time for the first use even when all the others were
 * used. Then the one unused for longest.
 */
const firstToGo = (spare: number) => `
  SELECT coalesce(
    (SELECT id FROM apps WHERE last_use IS NULL
      AND EXISTS (SELECT 1 FROM apps WHERE last_use IS NULL LIMIT 1 OFFSET ${spare})
      ORDER BY id LIMIT 1),
    (SELECT id FROM apps WHERE last_use IS NOT NULL ORDER BY last_use, id LIMIT 1))`;

/** Keeps at most `limit` apps. */
export function createApps(db: Sqlite, limit: number): Apps {
  // At most 500 entries of an index are read to count them.
  const tenth = Math.floor(Math.min(limit, 5_000) / 10);
  const room = createRoom(db, 'apps', limit, firstToGo(tenth));
  const insert = db.prepare(`
    INSERT INTO apps (client_id, secret_hash, name, website, redirect_uris, scopes, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[string], Row>(`
    SELECT id, client_id, name, website, redirect_uris, scopes, created_at FROM apps WHERE client_id = ?`);
  const selectSecret = db.prepare<[number], Buffer>('SELECT secret_hash FROM apps WHERE id = ?').pluck();
  // A use is written when more than a tenth of the apps were used since the last one: whoever is used all the time stays far from the
  // end, and costs hardly any write.
  const isDue = db
    .prepare<[number], number>(`
      SELECT app.last_use IS NULL OR EXISTS (SELECT 1 FROM apps WHERE last_use > app.last_use LIMIT 1 OFFSET ${tenth})
      FROM apps AS app WHERE id = ?`)
    .pluck();
  const use = db.prepare('UPDATE apps SET last_use = (SELECT coalesce(max(last_use), 0) + 1 FROM apps) WHERE id = ?');
  const nobodysDigest = digestOf(createSecret());

  const register = db.transaction((app: NewApp, now: number) => {
    room.make();
    const clientId = createSecret();
    const secret = createSecret();
    const { name, website } = app;
    const redirectUris = [...app.redirectUris];
    const scopes = [...app.scopes];
    const row = [name, website, JSON.stringify(redirectUris), scopes.join(' '), now];
    const { lastInsertRowid } = insert.run(clientId, digestOf(secret), ...row);
    return {
      app: { id: Number(lastInsertRowid), clientId, name, website, redirectUris, scopes, createdAt: now },
      secret,
    };
  });

  return {
    register: register.immediate,
    find: (clientId) => {
      const row = select.get(clientId);
      return row === undefined ? undefined : appOf(row);
    },
    secretMatches: (app, secret) => {
      const digest = app === undefined ? undefined : selectSecret.get(app.id);
      return matches(secret, digest ?? nobodysDigest);
    },
    touch: (id) => {
      if (isDue.get(id) === 1) use.run(id);
    },
    count: room.count,
  };
}

function appOf({ id, client_id, name, website, redirect_uris, scopes, created_at }: Row): App {
  return {
    id,
    clientId: client_id,
    name,
    website,
    redirectUris: JSON.parse(redirect_uris),
    scopes: scopes.split(' '),
    createdAt: created_at,
  };
}
