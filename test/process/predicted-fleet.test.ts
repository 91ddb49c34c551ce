import { expect, test } from 'vitest';
import { crawlPredicted, manySorts } from './predicted-fleet.ts';

test('a crawl finds of each of 450 hosts of a fleet file what the file predicts', async () => {
  const { startMs } = await crawlPredicted(manySorts(450), 450);
  expect(startMs).toBeLessThan(3_000);
});
