import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWeightedRoundRobin } from '../../src/store/frontier/due-domains.ts';

// Not the weights in use: here all four differ.
const weights = { live: 8, new: 4, known: 3, dead: 1 } as const;
type Lane = keyof typeof weights;
const lanes = Object.keys(weights) as Lane[];
const endless = { live: 1e9, new: 1e9, known: 1e9, dead: 1e9 };

/**
 * A function that fills `slots` from lanes with the given numbers of waiting items. Like the query of the database, it reads at
 * most `slots` items of each lane.
 */
function createLaneServer(): (slots: number, waiting: Readonly<Record<Lane, number>>) => Lane[] {
  const serve = createWeightedRoundRobin(weights);
  return (slots, waiting) => {
    const queue = (lane: Lane) => Array<Lane>(Math.min(slots, waiting[lane])).fill(lane);
    return serve(slots, { live: queue('live'), new: queue('new'), known: queue('known'), dead: queue('dead') });
  };
}

/** The number of slots of each lane. */
function tally<Key extends string>(order: readonly Key[], keys: readonly Key[]): Record<Key, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const key of order) counts[key] += 1;
  return counts;
}

test.each([1, 2, 3, 7, 16, 64, 1_000])(
  'non-empty lanes share slots in the ratio 8 to 4 to 3 to 1, with %i slots at a time',
  (slots) => {
    const serve = createLaneServer();
    const calls = Math.ceil(16_000 / slots);
    const order = Array.from({ length: calls }, () => serve(slots, endless)).flat();
    expect(tally(order.slice(0, 16_000), lanes)).toEqual({ live: 8_000, new: 4_000, known: 3_000, dead: 1_000 });
  },
);

test('no lane waits longer than sixteen slots', () => {
  const order = createLaneServer()(160, endless);
  for (const lane of lanes) {
    const positions = order.flatMap((served, index) => (served === lane ? [index] : []));
    const gaps = [...positions, order.length].map((position, index) => position - (positions[index - 1] ?? -1));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(16);
  }
});

test('the share of an empty lane goes to the others in proportion to their weights', () => {
  const counts = tally(createLaneServer()(800, { ...endless, live: 0 }), lanes);
  expect(counts).toEqual({ live: 0, new: 400, known: 300, dead: 100 });
  expect(createLaneServer()(100, { live: 0, new: 0, known: 0, dead: 1_000 })).toHaveLength(100);
});

test('an empty lane accumulates no credit, and a lane that is served alone no debt', () => {
  const serve = createLaneServer();
  serve(100_000, { ...endless, live: 0 });
  expect(tally(serve(1_600, endless), lanes).live).toBeLessThanOrEqual(816);
  serve(100_000, { live: 0, new: 0, known: 0, dead: 1e9 });
  const counts = tally(serve(1_600, endless), lanes);
  for (const [lane, share] of Object.entries({ live: 800, new: 400, known: 300, dead: 100 })) {
    expect(Math.abs(counts[lane as Lane] - share)).toBeLessThanOrEqual(16);
  }
});

test('for any input, no more items are served than wait, no slot stays empty while items wait, and no lane starves', () => {
  const waiting = fc.record({ live: fc.nat(20), new: fc.nat(20), known: fc.nat(20), dead: fc.nat(20) });
  const calls = fc.array(fc.tuple(fc.nat(40), waiting), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(calls, (sequence) => {
      const serve = createLaneServer();
      const waitedFor = { live: 0, new: 0, known: 0, dead: 0 };
      for (const [slots, items] of sequence) {
        const order = serve(slots, items);
        const counts = tally(order, lanes);
        expect(order).toHaveLength(Math.min(slots, items.live + items.new + items.known + items.dead));
        const remaining = { ...items };
        for (const served of order) {
          remaining[served] -= 1;
          for (const lane of lanes) {
            waitedFor[lane] = served === lane || remaining[lane] === 0 ? 0 : waitedFor[lane] + 1;
            expect(waitedFor[lane]).toBeLessThanOrEqual(48);
          }
        }
        for (const lane of lanes) {
          expect(counts[lane]).toBeLessThanOrEqual(items[lane]);
          if (remaining[lane] === 0) waitedFor[lane] = 0;
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
