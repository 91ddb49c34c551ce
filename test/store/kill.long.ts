import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { runChild } from './run-child.ts';
import { sampleDomains } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const domains = 3_000;

/** The domains with more than one visit, the results of the integrity checks, and the numbers of visits and of visited domains. */
function examine(path: string) {
  return withSqlite(path, (sqlite) => ({
    twice: sqlite.prepare('select domain_id from visits group by domain_id having count(*) > 1').all(),
    integrity: sqlite.pragma('integrity_check', { simple: true }),
    dangling: sqlite.pragma('foreign_key_check'),
    visits: sqlite.prepare<[], number>('select count(*) from visits').pluck().get(),
    visited: sqlite.prepare<[], number>('select count(*) from domains where last_visit is not null').pluck().get(),
  }));
}

test('a crawl killed at any time leaves an intact database, and every domain gets exactly one visit', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    store.domains.enter(sampleDomains(domains), 1);
  }
  let kills = 0;
  for (const afterMs of [0, 3, 11, 26, 47, 80]) {
    const child = runChild('./visit-all.ts', [path, '16']);
    await child.printed('picked');
    await delay(afterMs);
    child.kill();
    if ((await child.ended).signal === 'SIGKILL') kills += 1;
    const { visits, visited, ...rest } = examine(path);
    expect(rest).toEqual({ twice: [], integrity: 'ok', dangling: [] });
    expect(visits).toBe(visited);
    expect(visits).toBeLessThan(domains);
  }
  expect(kills).toBe(6);
  expect((await runChild('./visit-all.ts', [path, '64', '0']).ended).code).toBe(0);
  expect(examine(path)).toEqual({ twice: [], integrity: 'ok', dangling: [], visits: domains, visited: domains });
});

test('a database whose creation was killed is completed at the next opening', async () => {
  const path = scratchPath();
  for (const afterMs of [0, 0, 1, 2, 4, 8, 16]) {
    const child = runChild('./visit-all.ts', [path, '0']);
    while (!existsSync(path)) await delay(1);
    await delay(afterMs);
    child.kill();
    expect((await child.ended).signal).toBe('SIGKILL');
    await using store = await openStore({ path });
    expect(store.domains.enter(sampleDomains(1), 1)).toBe(1);
    await store[Symbol.asyncDispose]();
    for (const name of readdirSync(dirname(path))) rmSync(join(dirname(path), name));
  }
});
