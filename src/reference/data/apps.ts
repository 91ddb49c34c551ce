import type Database from 'better-sqlite3';
import { createRoom } from './room.ts';
import { createSecret, digestOf, matches } from './secret.ts';

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
  /** Notes that the app was used, so that it is not among the first to go. */
  touch(app: App, now: number): void;
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

/** Keeps at most `limit` apps: the one unused for longest goes first, and its codes and tokens with it. */
export function createApps(db: Database.Database, limit: number): Apps {
  const room = createRoom(db, 'apps', limit, 'used_at, id');
  const insert = db.prepare(`
    INSERT INTO apps (client_id, secret_hash, name, website, redirect_uris, scopes, created_at, used_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const select = db.prepare<[string], Row>(`
    SELECT id, client_id, name, website, redirect_uris, scopes, created_at FROM apps WHERE client_id = ?`);
  const selectSecret = db.prepare<[number], Buffer>('SELECT secret_hash FROM apps WHERE id = ?').pluck();
  const use = db.prepare('UPDATE apps SET used_at = ? WHERE id = ?');
  const nobodysDigest = digestOf(createSecret());

  const register = db.transaction((app: NewApp, now: number) => {
    room.make();
    const clientId = createSecret();
    const secret = createSecret();
    const { name, website } = app;
    const redirectUris = [...app.redirectUris];
    const scopes = [...app.scopes];
    const row = [name, website, JSON.stringify(redirectUris), scopes.join(' '), now, now];
    const { lastInsertRowid } = insert.run(clientId, digestOf(secret), ...row);
    return {
      app: { id: Number(lastInsertRowid), clientId, name, website, redirectUris, scopes, createdAt: now },
      secret,
    };
  });

  return {
    register,
    find: (clientId) => {
      const row = select.get(clientId);
      return row === undefined ? undefined : appOf(row);
    },
    secretMatches: (app, secret) => {
      const digest = app === undefined ? undefined : selectSecret.get(app.id);
      return matches(secret, digest ?? nobodysDigest);
    },
    touch: (app, now) => {
      use.run(now, app.id);
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
