import { expect, test } from 'vitest';
import { killByHost } from '../process/kill-by-host.ts';
import { killCrawl } from '../process/kill-crawl.ts';

test('a crawl of 300 hosts, killed at 10 random moments, visits every domain exactly once', async () => {
  const { killsDuringCrawl, visitsAtKills } = await killCrawl({ hosts: 300, kills: 10, maxRequests: 80 });
  expect(killsDuringCrawl).toBe(10);
  expect(new Set(visitsAtKills).size).toBeGreaterThan(2);
});

test('a host whose visit kills the process waits twice as long each time, and every other host is visited once', async () => {
  const { waits, othersNotVisitedOnce } = await killByHost({ hosts: 60, kills: 4 });
  const [first, second = 0] = waits;
  expect(first).toBe(0);
  expect(second).toBeGreaterThan(0);
  // Each is rounded to a millisecond.
  for (const [index, wait] of waits.slice(1).entries())
    expect(Math.abs(wait / 2 ** index - second)).toBeLessThanOrEqual(1);
  expect(othersNotVisitedOnce).toEqual([]);
});
