import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Progress } from '../../../src/commands/output/crawl-progress.ts';

test('progress includes the domains that sources enter during the crawl', () => {
  const stderr = new PassThrough();
  let now = 0;
  const progress = new Progress(stderr, () => now);
  progress.begin(2);
  progress.expect(3);
  now += 5_000;
  progress.tick();
  progress.end();
  expect(String(stderr.read())).toBe('visited 1 of 5, 0/s, ETA 20 s\n');
});

test('on a terminal, progress is a bar that is redrawn at most ten times a second', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  let now = 0;
  const progress = new Progress(stderr, () => now);
  progress.begin(4);
  for (const at of [50, 100, 2_000]) {
    now = at;
    progress.tick();
  }
  progress.end();
  const drawn = String(stderr.read())
    .split('\u001b[K')
    .map((text) => /[█░]+ .*/.exec(text)?.[0])
    .filter((text) => text !== undefined);
  expect(drawn).toEqual([
    `${'░'.repeat(32)} 0% | 0 of 4 | 0/s | ETA unknown`,
    `${'█'.repeat(16)}${'░'.repeat(16)} 50% | 2 of 4 | 20/s | ETA 1 s`,
    `${'█'.repeat(24)}${'░'.repeat(8)} 75% | 3 of 4 | 2/s | ETA 1 s`,
    `${'█'.repeat(24)}${'░'.repeat(8)} 75% | 3 of 4 | 2/s | ETA 1 s`,
  ]);
});
