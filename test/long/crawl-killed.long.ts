import { expect, test } from 'vitest';
import { killCrawl } from '../process/kill-crawl.ts';

test('a crawl of 800 hosts, killed at 6 random moments, visits every domain exactly once', async () => {
  const { killsDuringCrawl, visitsAtKills } = await killCrawl({ hosts: 800, kills: 6, maxRequests: 300 });
  expect(killsDuringCrawl).toBe(6);
  expect(new Set(visitsAtKills).size).toBeGreaterThan(1);
});
