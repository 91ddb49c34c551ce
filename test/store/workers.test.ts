import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { openReader } from '../../src/store/store-reader.ts';
import { scratchPath } from './scratch.ts';

const DAY_MS = 86_400_000;
const worker = { name: 'west', version: '1.0.0', visits: 2, errors: 1, lastSeen: 0 };

test('counts of workers add up over restarts, and workers not seen for a month are dropped', async () => {
  const path = scratchPath();
  {
    await using store = await openStore({ path });
    using empty = store.reader();
    expect(empty.crawler.workers()).toEqual([]);
    store.crawler.recordWorkers([worker, { ...worker, name: 'east' }]);
  }
  const later = { version: '1.1.0', visits: 3, lastSeen: 20 * DAY_MS };
  {
    await using store = await openStore({ path });
    store.crawler.recordWorkers([{ ...worker, ...later }]);
    using reader = store.reader();
    expect(reader.crawler.workers()).toEqual([
      { ...worker, name: 'east' },
      { ...worker, ...later, visits: 5, errors: 2 },
    ]);
    store.crawler.recordWorkers([{ ...worker, ...later, lastSeen: 31 * DAY_MS }]);
  }
  using reader = openReader(path);
  expect(reader.crawler.workers().map(({ name }) => name)).toEqual(['west']);
});
