import { expect, test } from 'vitest';
import { acceptedCodings } from '../../../src/api/answers/codings.ts';

test.each<[string | undefined, string[]]>([
  [undefined, ['identity']],
  ['', ['identity']],
  ['identity', ['identity']],
  ['zstd', ['identity']],
  ['gzip', ['gzip', 'identity']],
  ['x-gzip', ['gzip', 'identity']],
  ['GZIP, deflate, Br', ['br', 'gzip', 'identity']],
  ['*', ['br', 'gzip', 'identity']],
  ['br;q=0.1, gzip;q=0.9', ['gzip', 'br', 'identity']],
  ['identity, gzip;q=0.5', ['identity', 'gzip']],
  ['gzip;q=0.5, identity;q=0.4', ['gzip', 'identity']],
  ['gzip;q=0.5, *;q=0.8', ['br', 'identity', 'gzip']],
  ['br;q=0', ['identity']],
  ['br;q=0, *', ['gzip', 'identity']],
  ['gzip;q=0, *;q=0.001', ['br', 'identity']],
  ['gzip; q=nonsense', ['identity']],
  ['identity;q=0, gzip', ['gzip']],
  ['*;q=0, br', ['br']],
  ['*;q=0, identity', ['identity']],
  ['identity;q=0', []],
  ['*;q=0', []],
  ['identity;q=0, zstd', []],
])('Accept-Encoding: %s accepts %j, in this order', (header, codings) => {
  expect(acceptedCodings(header)).toEqual(codings);
});
