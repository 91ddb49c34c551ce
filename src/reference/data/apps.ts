import { createSecret, digestOf, secretMatches } from './secret.ts';
import { createRowLimit, type Sqlite } from './sqlite.ts';

/** A registered app, without its secret. */
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
 * The app that is evicted next, with its codes and tokens: the oldest app that was never used, so that registering apps cannot
 * evict a working one. The newest `spare` unused apps are exempt, so that a new app has time for its first use. If only these
 * are unused, the least recently used app is evicted.
 */
const selectNextEvicted = (spare: number) => `
  SELECT coalesce(
    (SELECT id FROM apps WHERE last_use IS NULL
      AND EXISTS (SELECT 1 FROM apps WHERE last_use IS NULL LIMIT 1 OFFSET ${spare})
      ORDER BY id LIMIT 1),
    (SELECT id FROM apps WHERE last_use IS NOT NULL ORDER BY last_use, id LIMIT 1))`;

/** Stores at most `limit` apps. */
export function createApps(db: Sqlite, limit: number, newSecret: () => string) {
  // At most 500, because two queries skip this many index entries.
  const tenth = Math.floor(Math.min(limit, 5_000) / 10);
  const rowLimit = createRowLimit(db, 'apps', limit, selectNextEvicted(tenth));
  const insert = db.prepare(`
    INSERT INTO apps (client_id, secret_hash, name, website, redirect_uris, scopes, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[string], Row>(`
    SELECT id, client_id, name, website, redirect_uris, scopes, created_at FROM apps WHERE client_id = ?`);
  const selectSecret = db.prepare<[number], Buffer>('SELECT secret_hash FROM apps WHERE id = ?').pluck();
  // A use is written only when more than `tenth` apps were used since the last written use of this app: an app in
  // steady use stays far from eviction at almost no cost.
  const isUseDue = db
    .prepare<[number], number>(`
      SELECT app.last_use IS NULL OR EXISTS (SELECT 1 FROM apps WHERE last_use > app.last_use LIMIT 1 OFFSET ${tenth})
      FROM apps AS app WHERE id = ?`)
    .pluck();
  const writeUse = db.prepare(
    'UPDATE apps SET last_use = (SELECT coalesce(max(last_use), 0) + 1 FROM apps) WHERE id = ?',
  );
  const dummyDigest = digestOf(createSecret());

  const register = db.transaction((app: NewApp, now: number) => {
    rowLimit.makeRoom();
    const clientId = newSecret();
    const secret = newSecret();
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
    /** Stores an app and returns it with its secret, which cannot be read again. */
    register: register.immediate,
    find: (clientId: string): App | undefined => {
      const row = select.get(clientId);
      return row === undefined ? undefined : appOf(row);
    },
    /** Compares in constant time. An unknown app takes the same time. */
    secretMatches: (app: App | undefined, secret: string) => {
      const digest = app === undefined ? undefined : selectSecret.get(app.id);
      return secretMatches(secret, digest ?? dummyDigest);
    },
    /** Records that an app was used, so that apps used less recently are evicted before it. */
    touch: (id: number) => {
      if (isUseDue.get(id) === 1) writeUse.run(id);
    },
    count: rowLimit.count,
  };
}

export type Apps = ReturnType<typeof createApps>;

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
