import { describe, expect, it } from 'vitest';
import { createFormat } from '../../src/site/words/format.ts';

describe('a duration', () => {
  it.each([
    [0.25, '0.3 s'],
    [45, '45 s'],
    [59.4, '59.4 s'],
    [59.97, '1 min'],
    [90, '1 min 30 s'],
    [119.6, '2 min'],
    [3_599.6, '1 h'],
    [7_140, '1 h 59 min'],
    [7_199, '2 h'],
  ])('of %d s is rounded to %s, and the smaller unit never reaches 60', (seconds, text) => {
    expect(createFormat('en').duration(seconds)).toBe(text);
  });
});

it('a size or duration that no server can mean is shown as more than the most', () => {
  const { megabytes, duration } = createFormat('en');
  expect([megabytes(1e15), duration(1e15)]).toEqual(['> 1,000 GB', '> 1,000 h']);
});
