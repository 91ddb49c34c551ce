import fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnWeights } from '../../src/store/turn-weights.ts';

test('while nothing is known of any source, all are served alike', () => {
  expect([...turnWeights([0, 3, 7], [])]).toEqual([
    [0, 1],
    [3, 1],
    [7, 1],
  ]);
});

test('the best source is served sixteen times as often as one that brought nothing', () => {
  const yields = [
    { turn: 1, visited: 100_000, loops: 0 },
    { turn: 2, visited: 10_000, loops: 400 },
    { turn: 3, visited: 10_000, loops: 200 },
  ];
  expect(Object.fromEntries(turnWeights([1, 2, 3], yields))).toEqual({ 1: 1, 2: 16, 3: 8 });
});

test('a new source begins as all together are, and is known after some visits', () => {
  const others = [
    { turn: 1, visited: 900, loops: 0 },
    { turn: 2, visited: 100, loops: 100 },
  ];
  const weightOfNew = (visited: number, loops: number) =>
    turnWeights([1, 2, 3], [...others, { turn: 3, visited, loops }]).get(3);
  expect(weightOfNew(0, 0)).toBe(2);
  expect(weightOfNew(5, 5)).toBeGreaterThan(2);
  expect(weightOfNew(500, 0)).toBe(1);
});

test('one Loops server at the first visit makes no source the best', () => {
  const yields = [
    { turn: 1, visited: 5_000, loops: 2_500 },
    { turn: 2, visited: 1, loops: 1 },
  ];
  const weights = turnWeights([1, 2], yields);
  expect(weights.get(2)).toBeLessThanOrEqual((weights.get(1) ?? 0) + 1);
});

test('every turn that waits has a whole weight from 1 to 16', () => {
  const found = fc.record({ turn: fc.nat(9), visited: fc.nat(1e6), loops: fc.nat(1e6) });
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(9)), fc.uniqueArray(found, { selector: ({ turn }) => turn }), (turns, yields) => {
      const weights = turnWeights(turns, yields);
      expect([...weights.keys()]).toEqual(turns);
      for (const weight of weights.values()) {
        expect(Number.isInteger(weight) && weight >= 1 && weight <= 16).toBe(true);
      }
    }),
  );
});
