import Database from 'better-sqlite3';
import { type Accounts, createAccounts } from './accounts.ts';
import { type Apps, createApps } from './apps.ts';
import { type Codes, createCodes } from './codes.ts';
import { createInteractions, type Interactions } from './interactions.ts';
import { schemaVersion, tables } from './schema.ts';
import { createSecret, seededSecrets } from './secret.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createTokens, type Tokens } from './tokens.ts';
import { createVideos, type Videos } from './videos.ts';

/** Maximum number of rows of these tables. At the limit, a row is evicted before each insert. */
export interface DataLimits {
  apps: number;
  codes: number;
  tokens: number;
  sessions: number;
}

export const defaultLimits: DataLimits = { apps: 5_000, codes: 5_000, tokens: 20_000, sessions: 5_000 };

/** How long a process waits for the write lock of another one on the same file. */
const lockTimeoutMs = 5_000;

export interface DataOptions {
  /** Path of a SQLite file, created when missing. Default: in memory. */
  database?: string | undefined;
  limits?: Partial<DataLimits> | undefined;
  /** In memory, the same text gives the same client ids, secrets, codes and tokens. Default: random ones, as in every file. */
  secretSeed?: string | undefined;
}

/** The stored data of a server: accounts, videos, and the records of OAuth. */
export interface ReferenceData extends Disposable {
  readonly accounts: Accounts;
  readonly videos: Videos;
  readonly interactions: Interactions;
  readonly apps: Apps;
  readonly codes: Codes;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  createSecret(): string;
  /** Named values, such as the seed that filled the database and the key that signs forms. */
  setting(name: string): string | undefined;
  setSetting(name: string, value: string): void;
  /** Runs `work` atomically. */
  transaction<T>(work: () => T): T;
}

/** A database file that cannot be used. The message names the file, the reason and the cure. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/**
 * Opens the database of a server, in memory unless a file is named.
 * @throws {DatabaseError} when the file cannot be opened, is not a database, or belongs to another version.
 */
export function openData({ database = ':memory:', limits, secretSeed }: DataOptions = {}): ReferenceData {
  // A file outlives the counter of the seeded secrets, and may be opened by several processes.
  const newSecret = database !== ':memory:' || secretSeed === undefined ? createSecret : seededSecrets(secretSeed);
  const db = openDatabase(database);
  const rowLimits = { ...defaultLimits, ...limits };
  const readSetting = db.prepare<[string], string>('SELECT value FROM settings WHERE name = ?').pluck();
  const writeSetting = db.prepare(
    'INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    accounts: createAccounts(db),
    videos: createVideos(db),
    interactions: createInteractions(db),
    apps: createApps(db, rowLimits.apps, newSecret),
    codes: createCodes(db, rowLimits.codes, newSecret),
    tokens: createTokens(db, rowLimits.tokens, newSecret),
    sessions: createSessions(db, rowLimits.sessions),
    createSecret: newSecret,
    setting: (name) => readSetting.get(name),
    setSetting: (name, value) => {
      writeSetting.run(name, value);
    },
    transaction: (work) => db.transaction(work).immediate(),
    [Symbol.dispose]: () => {
      db.close();
    },
  };
}

function openDatabase(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: lockTimeoutMs });
    // Before any setting, so that a database of another program stays as it is.
    const version = db.transaction(() => createTables(db as Database.Database)).immediate();
    if (version !== schemaVersion) {
      throw new Error(`its tables have version ${version}; this release needs version ${schemaVersion}`);
    }
    // Throws for a database of another program with the same version.
    db.prepare('SELECT value FROM settings');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    return db;
  } catch (error) {
    db?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      `The database ${file} cannot be used: ${reason}. Name a file that this command created before, or a new file in a writable folder.`,
      { cause: error },
    );
  }
}

/** Creates the tables in an empty database. Returns their version; it is usually 0 in a database of another program. */
function createTables(db: Database.Database): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const objectCount = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
  if (version !== 0 || objectCount > 0) return version;
  db.exec(tables);
  db.pragma(`user_version = ${schemaVersion}`);
  return schemaVersion;
}
