import { expect, test } from 'vitest';
import { killCrawl } from '../process/kill-crawl.ts';

test('a crawl of 240 hosts, killed at 6 random moments, visits every domain exactly once', async () => {
  const { killsDuringCrawl, visitsAtKills } = await killCrawl({ hosts: 240, kills: 6, maxRequests: 80 });
  expect(killsDuringCrawl).toBe(6);
  expect(new Set(visitsAtKills).size).toBeGreaterThan(1);
});
