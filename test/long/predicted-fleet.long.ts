import { test } from 'vitest';
import { crawlPredicted, mixedFleet } from '../process/predicted-fleet.ts';

test('5,000 hosts of a fleet file start, and a crawl gets the predicted result for each', async () => {
  await crawlPredicted(mixedFleet(5_000, { timeouts: true }), 5_000);
});
