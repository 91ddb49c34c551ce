import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress } from '../../../src/commands/output/crawl-progress.ts';

test('what sources bring while a pass goes on is expected too', () => {
  const stderr = new PassThrough();
  let at = 0;
  const progress = createProgress(2, stderr, () => at);
  progress.expect(3);
  at += 5_000;
  progress.tick();
  progress.end();
  expect(String(stderr.read())).toBe('visited 1 of 5, 0/s, ETA 20 s\n');
});
