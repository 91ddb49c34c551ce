import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { runChild } from './run-child.ts';
import { sampleDomains } from './sample-visit.ts';
import { scratchPath } from './scratch.ts';

test('a database whose creation was killed is completed at the next opening', async () => {
  const path = scratchPath();
  for (const afterMs of [0, 1, 4, 16]) {
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
