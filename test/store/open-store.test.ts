import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openStore } from '../../src/store/open-store.ts';
import { migrations } from '../../src/store/sqlite/migrate.ts';
import { StoreError } from '../../src/store/sqlite/store-error.ts';
import { runChild } from './run-child.ts';
import { loopsVisit, recordedVisit, sampleDomains } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

/** The StoreError with which an opening fails. */
async function refusal(open: Promise<AsyncDisposable>): Promise<StoreError> {
  const error = await open.then(
    (store) => store[Symbol.asyncDispose]().then(() => null),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StoreError)) throw new Error(`expected a StoreError, got ${error}`);
  return error;
}

function expectOneSentenceWithCure(error: StoreError, path: string): void {
  expect(error.message).toContain(`The database ${path} `);
  expect(error.message).toMatch(/^[^\n]+\.$/);
  expect(error.message).toContain('; ');
}

test('opening creates the folder and a Loopscout database in WAL mode with strict tables', async () => {
  const path = join(dirname(scratchPath()), 'a', 'b', 'store.sqlite');
  await using _store = await openStore({ path });
  withSqlite(path, (sqlite) => {
    expect(sqlite.pragma('application_id', { simple: true })).toBe(0x4c707363);
    expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal');
    const tables = sqlite.prepare(`select name from pragma_table_list where schema = 'main' and not strict`).pluck();
    expect(tables.all().sort()).toEqual([
      'kysely_migration',
      'kysely_migration_lock',
      'sqlite_schema',
      'sqlite_sequence',
    ]);
  });
});

test('closing leaves one file, and closing again does nothing', async () => {
  const path = scratchPath();
  const store = await openStore({ path });
  await store[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  expect(readdirSync(dirname(path))).toEqual(['store.sqlite']);
});

test('a closed database can be reopened', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.domains.enter(sampleDomains(3), 1);
  }
  await using store = await openStore({ path });
  using reader = store.reader();
  expect([...reader.domains.all()]).toHaveLength(3);
});

test('several stores can create the same database at once', async () => {
  const path = scratchPath();
  const stores = await Promise.all([openStore({ path }), openStore({ path }), openStore({ path })]);
  for (const store of stores) await store[Symbol.asyncDispose]();
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select name from kysely_migration').pluck().all())).toEqual(
    Object.keys(migrations),
  );
});

test('opening refuses a database of a newer Loopscout without changing it', async () => {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  withSqlite(path, (sqlite) =>
    sqlite.exec(`insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')`),
  );
  for (const readOnly of [true, false]) {
    const error = await refusal(openStore({ path, readOnly }));
    expect(error).toMatchObject({ code: 'newer-database', kind: 'setting' });
    expect(error.message).toMatch(/was written by a newer Loopscout \(migration 9999-later\)/);
    expectOneSentenceWithCure(error, path);
  }
  expect(readdirSync(dirname(path))).toEqual(['store.sqlite']);
});

test('opening refuses the database of another program without changing a byte of it', async () => {
  const path = scratchPath();
  withSqlite(path, (sqlite) => sqlite.exec('create table recipes (name text)'));
  const before = readFileSync(path);
  const error = await refusal(openStore({ path }));
  expect(error).toMatchObject({ code: 'foreign-database', kind: 'setting' });
  expectOneSentenceWithCure(error, path);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('opening refuses a file that is not a database without changing a byte of it', async () => {
  const path = scratchPath();
  writeFileSync(path, 'one.example\ntwo.example\n'.repeat(100));
  const error = await refusal(openStore({ path }));
  expect(error).toMatchObject({ code: 'not-a-database', kind: 'setting' });
  expectOneSentenceWithCure(error, path);
  expect(readFileSync(path, 'utf8')).toBe('one.example\ntwo.example\n'.repeat(100));
});

test('opening reports a damaged database', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.domains.enter(sampleDomains(2_000), 1);
  }
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x5a, 4_096, bytes.length - 4_096));
  const error = await refusal(openStore({ path }));
  expect(error).toMatchObject({ code: 'corrupt', kind: 'failure' });
  expectOneSentenceWithCure(error, path);
});

test('the store reports a replaced database as replaced, not as damaged', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.domains.enter(sampleDomains(2_000), 1);
  }
  await using store = await openStore({ path });
  using reader = store.reader();
  const away = `${path}.away`;
  renameSync(path, away);
  const bytes = readFileSync(away);
  writeFileSync(path, bytes);
  // Damages the moved file, which the store still has open.
  writeFileSync(away, bytes.fill(0x5a, 4_096, bytes.length));
  const moved = expect.objectContaining({
    code: 'moved',
    kind: 'failure',
    message: expect.stringContaining(`${path} was moved, deleted or replaced while it was in use; put the file back`),
  });
  expect(() => store.domains.enter(sampleDomains(500, 5_000), 1)).toThrowError(moved);
  expect(() => [...reader.domains.all()]).toThrowError(moved);
  expect(() => reader.domains.find(storedDomain('h0-0.example.org'))).toThrowError(moved);
  rmSync(path);
  renameSync(away, path);
  expect(() => store.domains.enter(sampleDomains(500, 5_000), 1)).toThrowError(
    expect.objectContaining({ code: 'corrupt' }),
  );
  expect(() => [...reader.domains.all()]).toThrowError(expect.objectContaining({ code: 'corrupt' }));
});

test('opening refuses a path that is a folder', async () => {
  const path = scratchPath('folder');
  mkdirSync(path);
  const error = await refusal(openStore({ path }));
  expect(error).toMatchObject({ code: 'not-a-file', kind: 'setting' });
  expectOneSentenceWithCure(error, path);
});

test('opening refuses a folder that cannot be created because a file has its name', async () => {
  const file = scratchPath('file');
  writeFileSync(file, '');
  for (const path of [join(file, 'store.sqlite'), join(file, 'deeper', 'store.sqlite')]) {
    const error = await refusal(openStore({ path }));
    expect(error).toMatchObject({ code: 'folder-unusable', kind: 'setting' });
    expectOneSentenceWithCure(error, path);
  }
});

test('opening refuses a folder and a file without write permission', async () => {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  chmodSync(path, 0o444);
  chmodSync(dirname(path), 0o555);
  const inNewFolder = join(dirname(path), 'new', 'store.sqlite');
  const other = join(dirname(path), 'other.sqlite');
  const child = await runChild('./open-as-nobody.ts', [path, inNewFolder, other]).ended;
  chmodSync(dirname(path), 0o755);
  expect(child.stderr).toBe('');
  expect(JSON.parse(child.stdout)).toEqual([
    { code: 'read-only', kind: 'setting', message: expect.stringContaining(`${path} cannot be written; give`) },
    { code: 'folder-unusable', kind: 'setting', message: expect.stringContaining(`${inNewFolder} cannot be created`) },
    { code: 'folder-unusable', kind: 'setting', message: expect.stringContaining(`${other} cannot be created`) },
  ]);
});

test('a read-only opening refuses a missing database and does not create it', async () => {
  const path = scratchPath();
  const error = await refusal(openStore({ path, readOnly: true }));
  expect(error).toMatchObject({ code: 'missing', kind: 'setting' });
  expectOneSentenceWithCure(error, path);
  expect(existsSync(path)).toBe(false);
  const deeper = join(dirname(path), 'nowhere', 'store.sqlite');
  expect(await refusal(openStore({ path: deeper, readOnly: true }))).toMatchObject({ code: 'missing' });
});

test('a read-only opening refuses a database with pending migrations', async () => {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  withSqlite(path, (sqlite) => sqlite.exec('delete from kysely_migration'));
  const error = await refusal(openStore({ path, readOnly: true }));
  expect(error).toMatchObject({ code: 'older-database', kind: 'setting' });
});

test('a read-only store reads during a crawl and refuses to write', async () => {
  const path = scratchPath();
  await using crawl = await openStore({ path });
  crawl.domains.enter(sampleDomains(5), 1);
  await using store = await openStore({ path, readOnly: true });
  using reader = store.reader();
  expect(reader.domains.counts(1).domains).toBe(5);
  expect(() => store.domains.enter(sampleDomains(1, 9), 1)).toThrowError(/was opened read-only/);
  expect(() => store.due.pick(1, 1)).toThrowError(StoreError);
});

test('a write to a database that another connection has locked throws an error', async () => {
  const path = scratchPath();
  await using store = await openStore({ path, busyTimeoutMs: 50 });
  withSqlite(path, (other) => {
    other.exec('begin immediate');
    expect(() => store.domains.enter(sampleDomains(1), 1)).toThrowError(
      expect.objectContaining({ code: 'locked', kind: 'failure' }),
    );
  });
  expect(store.domains.enter(sampleDomains(1), 1)).toBe(1);
});

test('a full disk is reported in one sentence, and recorded data is not lost', async () => {
  const path = scratchPath();
  const child = await runChild('./fill-disk.ts', [path], { fileBlocks: 2_000 }).ended;
  expect(child.stderr).toBe('');
  const { entered, code, kind, message } = JSON.parse(child.stdout);
  expect({ code, kind }).toEqual({ code: 'disk-full', kind: 'failure' });
  expect(message).toMatch(
    /store\.sqlite cannot be written because the disk or a quota is full; free some space; nothing recorded so far is lost\.$/,
  );
  expect(entered).toBeGreaterThan(0);
  await using store = await openStore({ path });
  using reader = store.reader();
  expect(reader.domains.counts(1).domains).toBeGreaterThanOrEqual(entered);
  expect(withSqlite(path, (sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
  const [picked] = store.due.pick(1, 1);
  expect(picked && store.visits.record([recordedVisit(picked, 2, loopsVisit(picked.record.domain, 2))])).toEqual([]);
});
