import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseError, openData } from '../../../src/reference/data/open-data.ts';
import { schemaVersion } from '../../../src/reference/data/schema.ts';

let folder: string;
let database: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-data-'));
  database = join(folder, 'a.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function execute(sql: string): void {
  using db = disposable(new Database(database));
  db.exec(sql);
}

function disposable(db: Database.Database): Database.Database & Disposable {
  return Object.assign(db, { [Symbol.dispose]: () => db.close() });
}

describe('openData', () => {
  it('reopens a file and finds its data', () => {
    {
      using data = openData({ database });
      data.setSetting('a', 'kept');
    }
    using data = openData({ database });
    expect(data.setting('a')).toBe('kept');
  });

  it('refuses tables of an earlier or later version, and names both versions', () => {
    openData({ database })[Symbol.dispose]();
    for (const version of [schemaVersion - 1, schemaVersion + 1]) {
      execute(`PRAGMA user_version = ${version}`);
      expect(() => openData({ database })).toThrow(DatabaseError);
      expect(() => openData({ database })).toThrow(
        `its tables have version ${version}; this release needs version ${schemaVersion}`,
      );
    }
    execute(`PRAGMA user_version = ${schemaVersion}`);
    openData({ database })[Symbol.dispose]();
  });

  it('refuses the database of another program and leaves its file unchanged', () => {
    execute('CREATE TABLE theirs (a)');
    const before = readFileSync(database);
    expect(() => openData({ database })).toThrow('its tables have version 0');
    expect(readFileSync(database)).toEqual(before);
    execute(`PRAGMA user_version = ${schemaVersion}`);
    const withSameVersion = readFileSync(database);
    expect(() => openData({ database })).toThrow(DatabaseError);
    expect(readFileSync(database)).toEqual(withSameVersion);
  });

  it('refuses a file that is not a database', () => {
    writeFileSync(database, 'x'.repeat(5_000));
    expect(() => openData({ database })).toThrow(/a\.db cannot be used: .*not a database/);
  });
});

describe('a transaction', () => {
  it('that throws undoes all its changes, also those of a nested transaction', () => {
    using data = openData();
    const app = { name: 'App', website: '', redirectUris: ['https://a.example/'], scopes: ['read'] };
    expect(() =>
      data.transaction(() => {
        data.setSetting('a', '1');
        data.apps.register(app, 0);
        data.transaction(() => data.setSetting('b', '2'));
        throw new Error('after all');
      }),
    ).toThrow('after all');
    expect([data.setting('a'), data.setting('b'), data.apps.count()]).toEqual([undefined, undefined, 0]);
  });
});

describe('passwords', () => {
  it('that are equal are stored with different salts', () => {
    {
      using data = openData({ database });
      for (const id of ['1', '2', '3']) {
        data.accounts.add({ id, username: `user${id}` } as Parameters<typeof data.accounts.add>[0], 'the same');
      }
      data.accounts.setPassword('3', 'the same');
    }
    using db = disposable(new Database(database));
    const rows = db
      .prepare<[], [string, string]>('SELECT hex(password_salt), hex(password_hash) FROM accounts')
      .raw()
      .all();
    expect(rows.map(([salt]) => salt)).toEqual(Array.from(rows, () => expect.stringMatching(/^[\dA-F]{32}$/)));
    expect([new Set(rows.map(([salt]) => salt)).size, new Set(rows.map(([, hash]) => hash)).size]).toEqual([3, 3]);
  });
});
