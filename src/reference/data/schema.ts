/** Increase it with every change of the tables. Files of another version are refused. */
export const schemaVersion = 4;

/** Tables with a row limit. Triggers keep their row counts, because triggers also see cascaded deletes. */
const limitedTables = ['apps', 'codes', 'tokens', 'sessions'];

const counters = limitedTables.map(
  (table) => `
INSERT INTO counts VALUES ('${table}', 0);
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN
  UPDATE counts SET count = count + 1 WHERE name = '${table}';
END;
CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} BEGIN
  UPDATE counts SET count = count - 1 WHERE name = '${table}';
END;`,
);

/**
 * The tables of a server. `document` columns hold the resource as JSON. Secrets, codes, tokens and session keys are stored as
 * SHA-256 digests only, which is safe because they are long and random. Times are milliseconds since the epoch. `last_use` is
 * a counter over the uses of all apps; null: never used.
 */
export const tables = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  username TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password_salt BLOB,
  password_hash BLOB,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE videos (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX videos_by_account ON videos (account_id);

CREATE TABLE apps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL UNIQUE,
  secret_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  website TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_use INTEGER,
  token_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX apps_by_use ON apps (last_use, id);
CREATE INDEX apps_by_tokens ON apps (token_count, id);

CREATE TABLE codes (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL,
  challenge TEXT,
  expires_at INTEGER NOT NULL,
  redeemed_at INTEGER
) STRICT;
CREATE INDEX codes_by_app ON codes (app_id);
CREATE INDEX codes_by_account ON codes (account_id);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  code_hash BLOB,
  scopes TEXT NOT NULL,
  is_public INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  refresh_hash BLOB UNIQUE
) STRICT;
CREATE INDEX tokens_by_app ON tokens (app_id);
CREATE INDEX tokens_by_account ON tokens (account_id);
CREATE INDEX tokens_by_code ON tokens (code_hash);
CREATE TRIGGER app_got_token AFTER INSERT ON tokens BEGIN
  UPDATE apps SET token_count = token_count + 1 WHERE id = new.app_id;
END;
CREATE TRIGGER app_lost_token AFTER DELETE ON tokens BEGIN
  UPDATE apps SET token_count = token_count - 1 WHERE id = old.app_id;
END;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);

CREATE TABLE follows (
  follower_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  followed_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (follower_id, followed_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE comments (
  id TEXT PRIMARY KEY,
  video_id TEXT NOT NULL REFERENCES videos (id) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  caption TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX comments_by_video ON comments (video_id);

CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
${counters.join('\n')}
`;
