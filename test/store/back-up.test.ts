import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { backUp } from '../../src/store/sqlite/back-up.ts';
import { applicationId } from '../../src/store/sqlite/sqlite.ts';
import { runChild } from './run-child.ts';
import { sampleDomains } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

async function createDatabase(domainCount: number): Promise<string> {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter(sampleDomains(domainCount), 1);
  return path;
}
const siblingPath = (path: string, name = 'copy.sqlite') => join(dirname(path), name);

test('a backup has all rows and the application id, passes the integrity check and opens', async () => {
  const path = await createDatabase(500);
  const target = siblingPath(path);
  const { bytes } = await backUp(path, target, { force: false });
  expect(bytes).toBe(readFileSync(target).byteLength);
  expect(withSqlite(target, (sqlite) => sqlite.pragma('application_id', { simple: true }))).toBe(applicationId);
  expect(withSqlite(target, (sqlite) => sqlite.pragma('integrity_check', { simple: true }))).toBe('ok');
  await using store = await openStore({ path: target });
  using reader = store.reader();
  expect(reader.domains.counts(1).domains).toBe(500);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('incomplete'))).toEqual([]);
});

test('a backup of a database in use is one snapshot', async () => {
  const path = await createDatabase(4_000);
  const child = runChild('./visit-all.ts', [path, '16', '1']);
  await child.printed('picked');
  const visitCounts: number[] = [];
  const visitCount = () =>
    withSqlite(path, (sqlite) => Number(sqlite.prepare('select count(*) from visits').pluck().get()));
  for (const copy of ['one', 'two', 'three']) {
    await expect.poll(visitCount, { interval: 1 }).toBeGreaterThan(visitCounts.at(-1) ?? 0);
    const target = siblingPath(path, copy);
    await backUp(path, target, { force: false });
    withSqlite(target, (sqlite) => {
      expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(sqlite.pragma('foreign_key_check')).toEqual([]);
      const count = (text: string) => Number(sqlite.prepare(text).pluck().get());
      // One visit per domain, committed together with it.
      expect(count('select count(*) from domains where last_visit is not null')).toBe(
        count('select count(*) from visits'),
      );
      visitCounts.push(count('select count(*) from visits'));
    });
  }
  child.kill();
  await child.ended;
  expect(visitCounts).toEqual(visitCounts.toSorted((a, b) => a - b));
  expect(visitCounts[2]).toBeLessThan(4_000);
});

test('a backup does not replace an existing file without force', async () => {
  const path = await createDatabase(3);
  const target = siblingPath(path);
  writeFileSync(target, 'mine');
  await expect(backUp(path, target, { force: false })).rejects.toThrow(
    `The backup ${target} exists already; name another file, or replace it with --force.`,
  );
  expect(readFileSync(target, 'utf8')).toBe('mine');
  await backUp(path, target, { force: true });
  expect(withSqlite(target, (sqlite) => sqlite.prepare('select count(*) from domains').pluck().get())).toBe(3);
});

test.each<[string, (path: string) => string]>([
  ['its own path', (path) => path],
  ['a path through its parent folder', (path) => join(dirname(path), '..', basename(dirname(path)), basename(path))],
  [
    'a symbolic link',
    (path) => {
      symlinkSync(path, siblingPath(path));
      return siblingPath(path);
    },
  ],
  [
    'a hard link',
    (path) => {
      linkSync(path, siblingPath(path));
      return siblingPath(path);
    },
  ],
])('a backup never replaces the database itself, given as %s', async (_how, name) => {
  const path = await createDatabase(3);
  const target = name(path);
  await expect(backUp(path, target, { force: true })).rejects.toThrow(
    /would be the database itself; name another file/,
  );
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select count(*) from domains').pluck().get())).toBe(3);
});

test.each(['-wal', '-shm'])('a backup never replaces a file of a database in use: %s', async (suffix) => {
  const path = await createDatabase(3);
  await using _store = await openStore({ path });
  await expect(backUp(path, path + suffix, { force: true })).rejects.toThrow('among the files of a database in use');
  const other = siblingPath(path, 'other.sqlite');
  writeFileSync(other + suffix, '');
  await expect(backUp(path, other, { force: true })).rejects.toThrow('among the files of a database in use');
});

test('a backup reports a missing database, a missing folder, and a folder at the path of the file', async () => {
  const path = await createDatabase(1);
  await expect(backUp(siblingPath(path, 'none'), siblingPath(path), { force: false })).rejects.toThrow(
    /does not exist; crawl first/,
  );
  expect(existsSync(siblingPath(path))).toBe(false);
  await expect(backUp(path, join(dirname(path), 'no', 'copy'), { force: false })).rejects.toThrow(
    'because its folder does not exist; make the folder first',
  );
  mkdirSync(siblingPath(path, 'folder'));
  await expect(backUp(path, siblingPath(path, 'folder'), { force: true })).rejects.toThrow(
    'is a folder; name a file in it',
  );
});

test('a backup reports a full disk and leaves no partial file', async () => {
  const path = await createDatabase(20_000);
  const target = siblingPath(path);
  const child = runChild('./back-up-once.ts', [path, target], { fileBlocks: 1_000 });
  const { stdout } = await child.ended;
  expect(stdout).toBe(
    `The backup ${target} cannot be written because the disk or a quota is full; free some space, or name a file elsewhere.`,
  );
  expect(readdirSync(dirname(path)).filter((name) => name.startsWith(basename(target)))).toEqual([]);
});
