import { expect, test } from 'vitest';
import { type Answer, CACHE_ONE_MINUTE, datedAnswer } from '../../../src/api/answers/answer.ts';
import { createAnswerCache } from '../../../src/views/answer-cache.ts';

const dated = (at: number, value: object) => datedAnswer(at, JSON.stringify(value), CACHE_ONE_MINUTE);

test('an answer is JSON and starts with its creation time', () => {
  expect(JSON.parse(dated(5, { a: 1 }).body.toString())).toEqual({ generatedAt: '1970-01-01T00:00:00.005Z', a: 1 });
});

test('two answers have the same ETag if only their creation times differ', () => {
  expect(dated(1, { a: 1 }).etag).toBe(dated(2, { a: 1 }).etag);
  expect(dated(1, { a: 1 }).etag).not.toBe(dated(1, { a: 2 }).etag);
});

test('an answer is cached by URL for as long as the data behind it is the same object', () => {
  const cache = createAnswerCache<Answer>();
  const data = {};
  const answer = dated(1, { a: 1 });
  cache.set('/x', data, answer);
  expect(cache.get('/x', data)).toBe(answer);
  expect(cache.get('/y', data)).toBeUndefined();
  expect(cache.get('/x', {})).toBeUndefined();
});
