import fc from 'fast-check';
import { expect, test } from 'vitest';
import { queueOf } from '../../src/store/queue-of.ts';
import { createShareOut, type ShareOut, type Waiting } from '../../src/store/share-out.ts';

const weights = { live: 8, new: 4, known: 3, dead: 1 } as const;
type Line = keyof typeof weights;
const lines = Object.keys(weights) as Line[];
const endless = { live: 1e9, new: 1e9, known: 1e9, dead: 1e9 };

function* repeat<Item>(item: Item, count: number): Generator<Item> {
  for (let index = 0; index < count; index += 1) yield item;
}

function takeUpTo<Item>(places: number, waiting: Waiting<Item>): Item[] {
  const taken: Item[] = [];
  while (taken.length < places && waiting.has()) taken.push(waiting.take());
  return taken;
}

/** Shares out by how many wait in each line. */
function createCounting(
  shareOut: ShareOut<Line> = createShareOut(),
): (places: number, waiting: Readonly<Record<Line, number>>) => Line[] {
  return (places, waiting) => {
    const sharer = (key: Line) => ({ key, weight: weights[key], waiting: queueOf(repeat(key, waiting[key])) });
    return takeUpTo(places, shareOut(lines.map(sharer)));
  };
}

/** How many places each was given. */
function tally<Key extends string>(order: readonly Key[], keys: readonly Key[]): Record<Key, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const key of order) counts[key] += 1;
  return counts;
}

test.each([1, 2, 3, 7, 16, 64, 1_000])('lines that all wait share 8 to 4 to 3 to 1, %i places at a time', (places) => {
  const shareOut = createCounting();
  const calls = Math.ceil(16_000 / places);
  const order = Array.from({ length: calls }, () => shareOut(places, endless)).flat();
  expect(tally(order.slice(0, 16_000), lines)).toEqual({ live: 8_000, new: 4_000, known: 3_000, dead: 1_000 });
});

test('no line waits longer than sixteen places for its turn', () => {
  const order = createCounting()(160, endless);
  for (const line of lines) {
    const turns = order.flatMap((taken, index) => (taken === line ? [index] : []));
    const gaps = turns.map((turn, index) => turn - (turns[index - 1] ?? -1));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(16);
  }
});

test('what one line does not use goes to the others by their weights', () => {
  const counts = tally(createCounting()(800, { ...endless, live: 0 }), lines);
  expect(counts).toEqual({ live: 0, new: 400, known: 300, dead: 100 });
  expect(createCounting()(100, { live: 0, new: 0, known: 0, dead: 1_000 })).toHaveLength(100);
});

test('a line saves up nothing while it is empty, and owes nothing for what it took alone', () => {
  const shareOut = createCounting();
  shareOut(100_000, { ...endless, live: 0 });
  expect(tally(shareOut(1_600, endless), lines).live).toBeLessThanOrEqual(816);
  shareOut(100_000, { live: 0, new: 0, known: 0, dead: 1e9 });
  const counts = tally(shareOut(1_600, endless), lines);
  for (const [line, share] of Object.entries({ live: 800, new: 400, known: 300, dead: 100 })) {
    expect(Math.abs(counts[line as Line] - share)).toBeLessThanOrEqual(16);
  }
});

test('whatever comes and goes, no more is given than waits, no place stays empty, and nobody starves', () => {
  const waiting = fc.record({ live: fc.nat(20), new: fc.nat(20), known: fc.nat(20), dead: fc.nat(20) });
  const calls = fc.array(fc.tuple(fc.nat(40), waiting), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(calls, (all) => {
      const shareOut = createCounting();
      const passedOver = { live: 0, new: 0, known: 0, dead: 0 };
      for (const [places, having] of all) {
        const order = shareOut(places, having);
        const counts = tally(order, lines);
        expect(order).toHaveLength(Math.min(places, having.live + having.new + having.known + having.dead));
        const left = { ...having };
        for (const taken of order) {
          left[taken] -= 1;
          for (const line of lines) {
            passedOver[line] = taken === line || left[line] === 0 ? 0 : passedOver[line] + 1;
            expect(passedOver[line]).toBeLessThanOrEqual(48);
          }
        }
        for (const line of lines) {
          expect(counts[line]).toBeLessThanOrEqual(having[line]);
          if (left[line] === 0) passedOver[line] = 0;
        }
      }
    }),
  );
});

test('of those that share a share, each has its part however few places there are at a time', () => {
  const share = createShareOut<string>();
  const inner = createShareOut<string>();
  for (const places of [1, 2, 3, 5]) {
    const order: string[] = [];
    while (order.length < 2_400) {
      const turns = inner([
        { key: 'a', weight: 1, waiting: queueOf(repeat('a', 9)) },
        { key: 'b', weight: 1, waiting: queueOf(repeat('b', 9)) },
        { key: 'c', weight: 2, waiting: queueOf(repeat('c', 9)) },
      ]);
      const both = share([
        { key: 'new', weight: 4, waiting: turns },
        { key: 'live', weight: 4, waiting: queueOf(repeat('live', 9)) },
      ]);
      order.push(...takeUpTo(places, both));
    }
    const counts = tally(order, ['a', 'b', 'c', 'live']);
    for (const [key, count] of Object.entries({ a: 300, b: 300, c: 600, live: 1_200 })) {
      expect(Math.abs((counts[key as 'a'] ?? 0) - count)).toBeLessThanOrEqual(8);
    }
  }
});

test('reads no more of a line than one item beyond what it takes, and nothing for nobody', () => {
  let read = 0;
  function* counted(): Generator<number> {
    for (;;) {
      read += 1;
      yield read;
    }
  }
  const shareOut = createShareOut<Line>();
  const waiting = () => lines.map((key) => ({ key, weight: weights[key], waiting: queueOf(counted()) }));
  takeUpTo(0, shareOut(waiting()));
  expect(read).toBe(0);
  takeUpTo(32, shareOut(waiting()));
  expect(read).toBe(32 + 4);
});
