import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress } from '../../../src/commands/output/crawl-progress.ts';

test('progress includes the domains that sources enter during the crawl', () => {
  const stderr = new PassThrough();
  let now = 0;
  const progress = createProgress(2, stderr, () => now);
  progress.expect(3);
  now += 5_000;
  progress.tick();
  progress.end();
  expect(String(stderr.read())).toBe('visited 1 of 5, 0/s, ETA 20 s\n');
});
