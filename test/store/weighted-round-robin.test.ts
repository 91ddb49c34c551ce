import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWeightedRoundRobin } from '../../src/store/frontier/due-domains.ts';

const weights = { live: 8, new: 4, known: 3, dead: 1 } as const;
type Lane = keyof typeof weights;
const lanes = Object.keys(weights) as Lane[];
const endless = { live: 1e9, new: 1e9, known: 1e9, dead: 1e9 };

/** Serves lanes given the number waiting in each, capped at the number of places, as when read from a database. */
function createCounting(): (places: number, waiting: Readonly<Record<Lane, number>>) => Lane[] {
  const serve = createWeightedRoundRobin(weights);
  return (places, waiting) => {
    const queue = (lane: Lane) => Array<Lane>(Math.min(places, waiting[lane])).fill(lane);
    return serve(places, { live: queue('live'), new: queue('new'), known: queue('known'), dead: queue('dead') });
  };
}

/** The number of places of each lane. */
function tally<Key extends string>(order: readonly Key[], keys: readonly Key[]): Record<Key, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const key of order) counts[key] += 1;
  return counts;
}

test.each([1, 2, 3, 7, 16, 64, 1_000])(
  'non-empty lanes share in the ratio 8 to 4 to 3 to 1, with %i places at a time',
  (places) => {
    const serve = createCounting();
    const calls = Math.ceil(16_000 / places);
    const order = Array.from({ length: calls }, () => serve(places, endless)).flat();
    expect(tally(order.slice(0, 16_000), lanes)).toEqual({ live: 8_000, new: 4_000, known: 3_000, dead: 1_000 });
  },
);

test('no lane waits longer than sixteen places', () => {
  const order = createCounting()(160, endless);
  for (const lane of lanes) {
    const turns = order.flatMap((taken, index) => (taken === lane ? [index] : []));
    const gaps = turns.map((turn, index) => turn - (turns[index - 1] ?? -1));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(16);
  }
});

test('the share of an empty lane goes to the others by their weights', () => {
  const counts = tally(createCounting()(800, { ...endless, live: 0 }), lanes);
  expect(counts).toEqual({ live: 0, new: 400, known: 300, dead: 100 });
  expect(createCounting()(100, { live: 0, new: 0, known: 0, dead: 1_000 })).toHaveLength(100);
});

test('an empty lane accumulates no credit, and a lane served alone no debt', () => {
  const serve = createCounting();
  serve(100_000, { ...endless, live: 0 });
  expect(tally(serve(1_600, endless), lanes).live).toBeLessThanOrEqual(816);
  serve(100_000, { live: 0, new: 0, known: 0, dead: 1e9 });
  const counts = tally(serve(1_600, endless), lanes);
  for (const [lane, share] of Object.entries({ live: 800, new: 400, known: 300, dead: 100 })) {
    expect(Math.abs(counts[lane as Lane] - share)).toBeLessThanOrEqual(16);
  }
});

test('for any input, no more items are served than wait, no place stays empty, and no lane starves', () => {
  const waiting = fc.record({ live: fc.nat(20), new: fc.nat(20), known: fc.nat(20), dead: fc.nat(20) });
  const calls = fc.array(fc.tuple(fc.nat(40), waiting), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(calls, (all) => {
      const serve = createCounting();
      const passedOver = { live: 0, new: 0, known: 0, dead: 0 };
      for (const [places, having] of all) {
        const order = serve(places, having);
        const counts = tally(order, lanes);
        expect(order).toHaveLength(Math.min(places, having.live + having.new + having.known + having.dead));
        const left = { ...having };
        for (const taken of order) {
          left[taken] -= 1;
          for (const lane of lanes) {
            passedOver[lane] = taken === lane || left[lane] === 0 ? 0 : passedOver[lane] + 1;
            expect(passedOver[lane]).toBeLessThanOrEqual(48);
          }
        }
        for (const lane of lanes) {
          expect(counts[lane]).toBeLessThanOrEqual(having[lane]);
          if (left[lane] === 0) passedOver[lane] = 0;
        }
      }
    }),
  );
});

test('each queue is served in its own order', () => {
  const serve = createWeightedRoundRobin({ a: 2, b: 1 });
  const order = serve(9, { a: ['a1', 'a2', 'a3'], b: ['b1', 'b2'] });
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'b2']);
  expect(serve(0, { a: ['a1'], b: [] })).toEqual([]);
});
