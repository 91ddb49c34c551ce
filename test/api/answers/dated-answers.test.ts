import { expect, test } from 'vitest';
import { datedAnswer, jsonAnswer, NEVER, SHORTLY, saysTheSame } from '../../../src/api/answers/answer.ts';
import { createAnswerCache } from '../../../src/api/answers/answer-cache.ts';

const dated = (at: number, value: object) => datedAnswer(at, JSON.stringify(value), SHORTLY);

test('an answer says first when it was made, and is JSON', () => {
  expect(JSON.parse(dated(5, { a: 1 }).body.toString())).toEqual({ generatedAt: '1970-01-01T00:00:00.005Z', a: 1 });
});

test('two answers say the same when they differ in the time of making alone; those without one never do', () => {
  expect(saysTheSame(dated(1, { a: 1 }), dated(2, { a: 1 }))).toBe(true);
  expect(saysTheSame(dated(1, { a: 1 }), dated(1, { a: 2 }))).toBe(false);
  expect(saysTheSame(jsonAnswer('{}', NEVER), jsonAnswer('{}', NEVER))).toBe(false);
});

test('the answer that was kept stays for as long as it says the same, whatever it is made from', () => {
  const cache = createAnswerCache();
  const [one, two, three] = [{}, {}, {}];
  const first = cache.keep('/x', one, dated(1, { a: 1 }));
  expect(cache.get('/x', one)).toBe(first);
  expect(cache.get('/x', two)).toBeUndefined();
  expect(cache.keep('/x', two, dated(2, { a: 1 }))).toBe(first);
  expect(cache.get('/x', two)).toBe(first);
  const changed = dated(3, { a: 2 });
  expect(cache.keep('/x', three, changed)).toBe(changed);
  expect(cache.keep('/y', three, dated(4, { a: 2 }))).not.toBe(changed);
});
