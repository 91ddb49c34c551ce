import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hintedWeight, NEW_WEIGHT } from '../../src/store/hinted-weight.ts';

const one = new Map([[1, 1]]);

test('hints are believed until they were wrong, and go twelve to one before other new domains', () => {
  expect(hintedWeight(one, [])).toBe(12 * NEW_WEIGHT);
  expect(hintedWeight(one, [{ turn: 1, visited: 500, loops: 500 }])).toBe(12 * NEW_WEIGHT);
});

test('their weight follows what of them came true', () => {
  expect(hintedWeight(one, [{ turn: 1, visited: 999, loops: 499 }])).toBe(6 * NEW_WEIGHT);
});

test('a dozen that lie leave them what other new domains have', () => {
  expect(hintedWeight(one, [{ turn: 1, visited: 12, loops: 0 }])).toBe(NEW_WEIGHT);
  expect(hintedWeight(one, [{ turn: 1, visited: 1e6, loops: 3 }])).toBe(NEW_WEIGHT);
});

test('what was true of sources of which nobody waits any more is no credit to one that lies', () => {
  const yields = [
    { turn: 1, visited: 3_000, loops: 0 },
    { turn: 2, visited: 90_000, loops: 90_000 },
  ];
  expect(hintedWeight(one, yields)).toBe(NEW_WEIGHT);
  expect(
    hintedWeight(
      new Map([
        [1, 1],
        [2, 16],
      ]),
      yields,
    ),
  ).toBeGreaterThan(10 * NEW_WEIGHT);
});

test('it is a whole number and never less than that of other new domains', () => {
  const found = fc.record({ turn: fc.nat(9), visited: fc.nat(1e6), loops: fc.nat(1e6) });
  const turns = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 16 })));
  fc.assert(
    fc.property(turns, fc.uniqueArray(found, { selector: ({ turn }) => turn }), (waiting, yields) => {
      const weight = hintedWeight(new Map(waiting), yields);
      expect(Number.isInteger(weight) && weight >= NEW_WEIGHT && weight <= 12 * NEW_WEIGHT).toBe(true);
    }),
  );
});
