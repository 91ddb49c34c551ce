import { expect, test } from 'vitest';
import { crawlPredicted, manySorts } from '../process/predicted-fleet.ts';

test('5,000 hosts of a fleet file start within 3 s, and a crawl finds of every one what the file predicts', async () => {
  const { startMs, crawlMs } = await crawlPredicted(manySorts(5_000, { timeouts: true }), 5_000);
  expect(startMs).toBeLessThan(3_000);
  expect(crawlMs).toBeGreaterThan(0);
});
