import { expect, test } from 'vitest';
import { killCrawl } from './kill-crawl.ts';

test('a crawl killed at random moments visits every domain exactly once in the end', async () => {
  const { landed } = await killCrawl({ hosts: 300, kills: 5, longestMs: 1_500 });
  expect(landed).toBeGreaterThan(0);
});
