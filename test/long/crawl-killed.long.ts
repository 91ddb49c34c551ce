import { expect, test } from 'vitest';
import { killCrawl } from '../process/kill-crawl.ts';

test('a crawl of 1,000 hosts, killed at 20 random moments, visits every domain exactly once', async () => {
  const { killsDuringCrawl, visitsAtKills } = await killCrawl({ hosts: 1_000, kills: 20, maxRequests: 150 });
  expect(killsDuringCrawl).toBe(20);
  expect(new Set(visitsAtKills).size).toBeGreaterThan(5);
});
