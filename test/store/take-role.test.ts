import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { takeRole } from '../../src/store/sqlite/locks.ts';
import { runChild } from './run-child.ts';
import { sampleDomains } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

test('only one connection holds a role at a time, and another can take it after its release', async () => {
  const path = scratchPath();
  await using first = await openStore({ path });
  await using second = await openStore({ path });
  const role = first.takeRole('crawl');
  expect(role).not.toBeNull();
  expect(second.takeRole('crawl')).toBeNull();
  expect(first.takeRole('crawl')).toBeNull();
  second.takeRole('export')?.[Symbol.dispose]();
  role?.[Symbol.dispose]();
  role?.[Symbol.dispose]();
  using next = second.takeRole('crawl');
  expect(next).not.toBeNull();
});

// Each row: the kind of link, the path of the database through the link, the target of the link.
test.each([
  ['a link to the file', (path: string) => `${path}.link`, (path: string) => path],
  ['a link to its folder', (path: string) => join(`${dirname(path)}.link`, basename(path)), dirname],
] as const)('a store opened through %s shares the roles of the database', async (_, via, target) => {
  const path = scratchPath();
  const pathThroughLink = via(path);
  const link = pathThroughLink.slice(0, pathThroughLink.indexOf('.link') + 5);
  symlinkSync(target(path), link);
  onTestFinished(() => rmSync(link, { force: true }));
  // Opens through a link whose file does not exist yet.
  await using throughLink = await openStore({ path: pathThroughLink });
  await using direct = await openStore({ path });
  using role = direct.takeRole('crawl');
  expect(role).not.toBeNull();
  expect(throughLink.takeRole('crawl')).toBeNull();
  expect([direct.isInPlace(), throughLink.isInPlace()]).toEqual([true, true]);
  const linkFiles = readdirSync(dirname(path)).filter((name) => name.includes('.link.'));
  expect(linkFiles).toEqual([]);
});

test('a read-only connection can take a role', async () => {
  const path = scratchPath();
  await (await openStore({ path }))[Symbol.asyncDispose]();
  await using reader = await openStore({ path, readOnly: true });
  using role = reader.takeRole('export');
  expect(role).not.toBeNull();
});

test('a lock file of a dead process does not block a role', () => {
  const path = scratchPath();
  writeFileSync(`${path}.role-crawl`, '');
  using role = takeRole(path, 'crawl');
  expect(role).not.toBeNull();
});

test('a killed process loses its role', async () => {
  const path = scratchPath();
  const child = runChild('./hold-role.ts', [path]);
  await child.printed('taken');
  expect(takeRole(path, 'crawl')).toBeNull();
  child.kill();
  await child.ended;
  using role = takeRole(path, 'crawl');
  expect(role).not.toBeNull();
});

test('two processes never hold a role at once, even if they take and release it rapidly', async () => {
  const path = scratchPath();
  const children = Array.from({ length: 3 }, () => runChild('./contend-for-role.ts', [path, '150']));
  const ended = await Promise.all(children.map((child) => child.ended));
  expect(ended).toMatchObject(ended.map(() => ({ code: 0, stderr: '', stdout: 'done\n' })));
}, 60_000);

test('a deleted or replaced database is no longer in place', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.domains.enter(sampleDomains(1), 1);
  expect(store.isInPlace()).toBe(true);
  renameSync(path, `${path}.away`);
  expect(store.isInPlace()).toBe(false);
  writeFileSync(path, '');
  expect(store.isInPlace()).toBe(false);
  rmSync(path);
  renameSync(`${path}.away`, path);
  expect(store.isInPlace()).toBe(true);
});
