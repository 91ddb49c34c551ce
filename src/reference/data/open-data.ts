import Database from 'better-sqlite3';
import { type Accounts, createAccounts } from './accounts.ts';
import { type Apps, createApps } from './apps.ts';
import { type Codes, createCodes } from './codes.ts';
import { schemaVersion, tables } from './schema.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createTokens, type Tokens } from './tokens.ts';
import { createVideos, type Videos } from './videos.ts';

/** How many of each a server keeps; beyond that the one unused for longest, or the oldest, goes. */
export interface DataLimits {
  apps: number;
  codes: number;
  tokens: number;
  sessions: number;
}

export const defaultLimits: DataLimits = { apps: 5_000, codes: 5_000, tokens: 20_000, sessions: 5_000 };

/** How long a process waits for another one that writes to the same file. */
const lockTimeoutMs = 5_000;

export interface DataOptions {
  /** Path of a SQLite file, made when it does not exist. Default: in memory. */
  database?: string | undefined;
  limits?: Partial<DataLimits> | undefined;
}

/** What a server keeps: its accounts and videos, and who may do what in whose name. */
export interface ReferenceData extends Disposable {
  readonly accounts: Accounts;
  readonly videos: Videos;
  readonly apps: Apps;
  readonly codes: Codes;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  /** Small named values of the server's own, such as the seed it was filled from and the key it signs forms with. */
  fact(name: string): string | undefined;
  setFact(name: string, value: string): void;
  /** Runs `work` whole or not at all. */
  transaction<T>(work: () => T): T;
}

/** A database file that cannot be used; the message says which, why, and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/**
 * Opens the database of a server, in memory unless a file is named.
 * @throws {DatabaseError} when the file cannot be opened, is no database, or was made by another version.
 */
export function openData({ database = ':memory:', limits }: DataOptions = {}): ReferenceData {
  const db = openDatabase(database);
  const kept = { ...defaultLimits, ...limits };
  const readFact = db.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck();
  const writeFact = db.prepare('INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value');
  return {
    accounts: createAccounts(db),
    videos: createVideos(db),
    apps: createApps(db, kept.apps),
    codes: createCodes(db, kept.codes),
    tokens: createTokens(db, kept.tokens),
    sessions: createSessions(db, kept.sessions),
    fact: (name) => readFact.get(name),
    setFact: (name, value) => {
      writeFact.run(name, value);
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
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    const made = db.transaction(() => makeTables(db as Database.Database)).immediate();
    if (made !== schemaVersion) {
      throw new Error(`its tables are of version ${made}, those of this release of version ${schemaVersion}`);
    }
    return db;
  } catch (error) {
    db?.close();
    const why = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      `The database ${file} cannot be used: ${why}. Name a file that this command made before, or one that does not exist yet in a folder that can be written to.`,
      { cause: error },
    );
  }
}

/** Makes the tables of an empty database. Returns the version of the tables there are then; 0 for somebody else's. */
function makeTables(db: Database.Database): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const count = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
  if (version !== 0 || count > 0) return version;
  db.exec(tables);
  db.pragma(`user_version = ${schemaVersion}`);
  return schemaVersion;
}
