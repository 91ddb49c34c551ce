import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { knownOwners, reclaimIfDead, takeOwnerLock } from '../../src/store/sqlite/locks.ts';
import { runChild } from './run-child.ts';
import { sampleDomains } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const ownerFiles = (path: string) => readdirSync(dirname(path)).filter((name) => name.includes('.owner-'));

test('an owner counts as dead only after it released its lock', () => {
  const path = scratchPath();
  const lock = takeOwnerLock(path);
  let reclaimed = 0;
  expect(knownOwners(path)).toEqual([lock.owner]);
  expect(reclaimIfDead(path, lock.owner, () => (reclaimed += 1))).toBe(false);
  expect(reclaimed).toBe(0);
  lock.release();
  expect(ownerFiles(path)).toEqual([]);
  expect(reclaimIfDead(path, lock.owner, () => (reclaimed += 1))).toBe(true);
  expect(reclaimed).toBe(1);
});

test('an unlocked lock file is removed after its leases are reclaimed', () => {
  const path = scratchPath();
  const owner = '00000000-0000-4000-8000-000000000000';
  writeFileSync(`${path}.owner-${owner}`, '');
  let existsDuringReclaim = false;
  reclaimIfDead(path, owner, () => {
    existsDuringReclaim = existsSync(`${path}.owner-${owner}`);
    expect(reclaimIfDead(path, owner, () => expect.unreachable('two reclaim at a time'))).toBe(false);
  });
  expect(existsDuringReclaim).toBe(true);
  expect(ownerFiles(path)).toEqual([]);
});

test('files with similar names are not lock files of owners', () => {
  const path = scratchPath();
  writeFileSync(`${path}.owner-notes.txt`, 'mine');
  expect(knownOwners(path)).toEqual([]);
});

test('the next opening immediately reclaims the leases of a process killed by SIGKILL', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.enter(sampleDomains(25), 1);
  }
  const child = runChild('./visit-all.ts', [path, '0']);
  await child.printed('leased');
  const now = Date.now();
  {
    await using other = await openStore({ path });
    expect(other.reclaimed).toBe(0);
    // The child process holds ten of the 25 domains.
    expect(other.lease(100, now)).toHaveLength(15);
  }
  child.kill();
  expect((await child.ended).signal).toBe('SIGKILL');
  expect(ownerFiles(path)).toHaveLength(1);

  await using store = await openStore({ path, now: () => now });
  expect(store.reclaimed).toBe(10);
  expect(ownerFiles(path)).toHaveLength(1);
  expect(store.lease(100, now)).toHaveLength(25);
  expect(withSqlite(path, (sqlite) => sqlite.prepare('select sum(leases_lost) from domains').pluck().get())).toBe(10);
});

test('new domains leased when a process died wait in the lane of known domains, behind those already due', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.enter(sampleDomains(25), 1);
  }
  const child = runChild('./visit-all.ts', [path, '0']);
  await child.printed('leased');
  child.kill();
  await child.ended;
  const [lost, neverLeased, known] = [sampleDomains(10), sampleDomains(15, 10), sampleDomains(3, 100)];
  await using store = await openStore({ path });
  store.enter(known, 1);
  // Moves `known` to the lane of known domains, where domains without a rank wait.
  withSqlite(path, (sqlite) => sqlite.prepare('update domains set rank = null where id > 25').run());
  const order = store.lease(28, Date.now()).map(({ record }) => record.domain);
  expect(order.filter((domain) => neverLeased.includes(domain))).toEqual(neverLeased);
  expect(order.filter((domain) => !neverLeased.includes(domain))).toEqual([...known, ...lost]);
  expect(order.slice(0, 6).filter((domain) => lost.includes(domain))).toEqual([]);
});

test('a domain waits after the process that visits it was killed a second time', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.enter(sampleDomains(1), 1);
  }
  for (const reclaimed of [0, 1]) {
    const child = runChild('./visit-all.ts', [path, '0']);
    await child.printed(`reclaimed ${reclaimed}\nleased`);
    child.kill();
    await child.ended;
  }
  const now = Date.now();
  await using store = await openStore({ path, now: () => now });
  expect(store.reclaimed).toBe(1);
  expect(store.lease(1, now + 999)).toEqual([]);
  expect(store.nextRetryAfterLostLease(now + 999)).toBe(now + 1_000);
  expect(store.lease(1, now + 1_000)).toHaveLength(1);
});
