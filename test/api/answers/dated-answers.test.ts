import { expect, test } from 'vitest';
import { CACHE_ONE_MINUTE, datedAnswer } from '../../../src/api/answers/answer.ts';

const dated = (at: number, value: object) => datedAnswer(at, JSON.stringify(value), CACHE_ONE_MINUTE);

test('an answer is JSON and starts with its creation time', () => {
  expect(JSON.parse(dated(5, { a: 1 }).body.toString())).toEqual({ generatedAt: '1970-01-01T00:00:00.005Z', a: 1 });
});

test('two answers have the same ETag if only their creation times differ', () => {
  expect(dated(1, { a: 1 }).etag).toBe(dated(2, { a: 1 }).etag);
  expect(dated(1, { a: 1 }).etag).not.toBe(dated(1, { a: 2 }).etag);
});
