import { expect, test } from 'vitest';
import { killCrawl } from '../process/kill-crawl.ts';

test('a crawl of 1,000 hosts, killed at 20 random moments, visits every domain exactly once', async () => {
  const { killsDuringCrawl, visitsAtKills } = await killCrawl({ hosts: 1_000, kills: 20, maxRequests: 150 });
  expect(killsDuringCrawl).toBe(20);
  expect(new Set(visitsAtKills).size).toBeGreaterThan(5);
});

test('a crawl with child processes visits every domain exactly once, even if it and its children are killed', async () => {
  const { killsDuringCrawl, childKills } = await killCrawl({ hosts: 800, kills: 6, maxRequests: 100, processes: 2 });
  expect(killsDuringCrawl).toBe(6);
  expect(childKills).toBe(6);
});
