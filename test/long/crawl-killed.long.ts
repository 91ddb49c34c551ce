import { expect, test } from 'vitest';
import { killCrawl } from '../process/kill-crawl.ts';

test('a crawl of 3,000 hosts, killed at 20 random times, visits every domain exactly once', async () => {
  const { landed, visitsAtKills } = await killCrawl({ hosts: 3_000, kills: 20, longestMs: 3_600 });
  expect(landed).toBeGreaterThanOrEqual(10);
  expect(new Set(visitsAtKills).size).toBeGreaterThan(5);
});

test('a crawl with child processes visits every domain exactly once, though it and its children are killed', async () => {
  const { landed, childKills } = await killCrawl({ hosts: 500, kills: 8, longestMs: 2_500, processes: 2 });
  expect(landed).toBeGreaterThanOrEqual(1);
  expect(childKills).toBeGreaterThanOrEqual(1);
});
