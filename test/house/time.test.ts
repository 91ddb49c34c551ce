import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..');
const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /(?<!house\/time)\.(?:test|long)\.ts$/.test(path),
);
/** An elapsed time on the left of `toBeLessThan`. */
const UPPER_LIMIT =
  /(?:\.now\(\)|hrtime\S*\)) - .*\.toBeLess|\b(?:\w*Ms|ms|(?:took|elapsed|slowest|duration)\w*)(?:, [^)]*)?\)\.toBeLess/;
/** Simulated time, a setting and the length of a video. */
const NOT_MEASURED = /expect\((?:figures\(|year\.longestDelayMs|CHECK_LIMITS\.|video\.media\.)/;

it('no test asserts that something takes less than a time, which depends on the load of the machine', () => {
  const found = tests.flatMap((path) =>
    readFileSync(join(folder, path), 'utf8')
      .split('\n')
      .flatMap((line, index) => (UPPER_LIMIT.test(line) && !NOT_MEASURED.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(found).toEqual([]);
});
