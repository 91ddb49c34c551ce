import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { ifDead, knownOwners, takeOwnerLock } from '../../src/store/owner-lock.ts';
import { runChild } from './run-child.ts';
import { sampleDomains } from './sample-visit.ts';
import { meddle, scratchPath } from './scratch.ts';

const ownerFiles = (path: string) => readdirSync(dirname(path)).filter((name) => name.includes('.owner-'));

test('a living owner is not dead, one that released its lock is', () => {
  const path = scratchPath();
  const lock = takeOwnerLock(path);
  let reclaimed = 0;
  expect(knownOwners(path)).toEqual([lock.owner]);
  expect(ifDead(path, lock.owner, () => (reclaimed += 1))).toBe(false);
  expect(reclaimed).toBe(0);
  lock.release();
  expect(ownerFiles(path)).toEqual([]);
  expect(ifDead(path, lock.owner, () => (reclaimed += 1))).toBe(true);
  expect(reclaimed).toBe(1);
});

test('a lock file that nobody holds is removed once its leases are reclaimed', () => {
  const path = scratchPath();
  const owner = '00000000-0000-4000-8000-000000000000';
  writeFileSync(`${path}.owner-${owner}`, '');
  let thereDuringReclaim = false;
  ifDead(path, owner, () => {
    thereDuringReclaim = existsSync(`${path}.owner-${owner}`);
    expect(ifDead(path, owner, () => expect.unreachable('two reclaim at a time'))).toBe(false);
  });
  expect(thereDuringReclaim).toBe(true);
  expect(ownerFiles(path)).toEqual([]);
});

test('files that only look like lock files are left alone', () => {
  const path = scratchPath();
  writeFileSync(`${path}.owner-notes.txt`, 'mine');
  expect(knownOwners(path)).toEqual([]);
});

test('the leases of a process killed by SIGKILL are taken back at the next opening, at no cost', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.enter(sampleDomains(25), 1);
  }
  const child = runChild('./visit-all.ts', [path, '0']);
  await child.printed('leased');
  const now = Date.now();
  {
    await using beside = await openStore({ path });
    expect(beside.reclaimed).toBe(0);
    expect(beside.lease(100, now)).toHaveLength(15);
  }
  child.kill();
  expect((await child.ended).signal).toBe('SIGKILL');
  expect(ownerFiles(path)).toHaveLength(1);

  await using store = await openStore({ path, now: () => now });
  expect(store.reclaimed).toBe(10);
  expect(ownerFiles(path)).toHaveLength(1);
  expect(store.lease(100, now)).toHaveLength(25);
  expect(meddle(path, (sqlite) => sqlite.prepare('select sum(leases_lost) from domains').pluck().get())).toBe(10);
});

test('what was leased when a process died goes to the end of the line', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.enter(sampleDomains(25), 1);
  }
  const child = runChild('./visit-all.ts', [path, '0']);
  await child.printed('leased');
  child.kill();
  await child.ended;
  await using store = await openStore({ path });
  const order = store.lease(25, Date.now()).map(({ record }) => record.domain);
  const entered = sampleDomains(25);
  expect(order).toEqual([...entered.slice(10), ...entered.slice(0, 10)]);
});

test('a domain whose visitor is killed again and again waits longer each time', async () => {
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
  expect(store.nextLostLease(now + 999)).toBe(now + 1_000);
  expect(store.lease(1, now + 1_000)).toHaveLength(1);
});
