import { expect, test } from 'vitest';
import { createRoster } from '../../../src/crawl/workers/roster.ts';

const west = { name: 'west', version: '1.0.0' };
const noCounts = { visits: 0, errors: 0 };

test('the roster reports new workers and counts at once, and once a minute the time each worker was last seen', () => {
  let now = 0;
  const roster = createRoster(() => now);
  expect(roster.takeChanges()).toEqual([]);
  roster.setAlive([west]);
  expect(roster.takeChanges()).toEqual([{ ...west, ...noCounts, lastSeen: 0 }]);
  now = 59_000;
  roster.setAlive([west]);
  expect(roster.takeChanges()).toEqual([]);
  roster.count(west, 'visits');
  expect(roster.takeChanges()).toEqual([{ ...west, ...noCounts, visits: 1, lastSeen: 59_000 }]);
  now = 120_000;
  roster.setAlive([west]);
  expect(roster.takeChanges()).toEqual([{ ...west, ...noCounts, lastSeen: 120_000 }]);
  expect(roster.takeChanges()).toEqual([]);
});
