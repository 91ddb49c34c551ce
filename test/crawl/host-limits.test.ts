import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostLimits, type Slot } from '../../src/crawl/host-limits.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const slot = (key: string, limit = 1): Slot => ({ key, limit });

/** Host limits, and the names it admitted, in order. */
function setUp() {
  const limits = new HostLimits();
  const admitted: string[] = [];
  const enter = (name: string, ...slots: Slot[]) =>
    void limits.acquire(slots, name.startsWith('urgent')).then(() => admitted.push(name));
  return { limits, admitted, enter };
}

describe('HostLimits', () => {
  it('admits as many holders of a key as its limit', async () => {
    const { limits, admitted, enter } = setUp();
    for (const name of ['a', 'b', 'c']) enter(name, slot('x', 2));
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    limits.release([slot('x', 2)]);
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('treats the limit 0 as no limit', async () => {
    const { limits, admitted, enter } = setUp();
    for (let i = 0; i < 1_000; i++) enter(String(i), slot('x', 0));
    await settled();
    expect(admitted).toHaveLength(1_000);
    expect(limits.isFull([slot('x', 0)])).toBe(false);
  });

  it('admits waiters for a key in the order of arrival', async () => {
    const { limits, admitted, enter } = setUp();
    for (const name of ['a', 'b', 'c', 'd', 'e']) enter(name, slot('x'));
    for (let i = 0; i < 5; i++) {
      await settled();
      limits.release([slot('x')]);
    }
    expect(admitted).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('admits urgent waiters before the others, in the order of arrival', async () => {
    const { limits, admitted, enter } = setUp();
    for (const name of ['a', 'b', 'c', 'urgent d', 'urgent e', 'f']) enter(name, slot('x'));
    for (let i = 0; i < 6; i++) {
      await settled();
      limits.release([slot('x')]);
    }
    expect(admitted).toEqual(['a', 'urgent d', 'urgent e', 'b', 'c', 'f']);
  });

  it('admits the first waiter before a newcomer when a slot is released', async () => {
    const { limits, admitted, enter } = setUp();
    enter('first', slot('x'));
    enter('waits', slot('x'));
    await settled();
    limits.release([slot('x')]);
    enter('late', slot('x'));
    await settled();
    expect(admitted).toEqual(['first', 'waits']);
  });

  it('counts a key once if one entry slots it twice', async () => {
    const { limits, admitted, enter } = setUp();
    enter('a', slot('x', 2), slot('x', 2));
    enter('b', slot('x', 2), slot('x', 2));
    enter('c', slot('x', 2));
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    limits.release([slot('x', 2), slot('x', 2)]);
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c']);
    expect(limits.isFull([slot('x', 2)])).toBe(true);
  });

  it('gives an entry all its slots at once, and none while it waits', async () => {
    const { limits, admitted, enter } = setUp();
    enter('a', slot('x'));
    enter('both', slot('x'), slot('y'));
    enter('b', slot('y'));
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    limits.release([slot('x')]);
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    enter('c', slot('x'));
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c']);
    limits.release([slot('y')]);
    limits.release([slot('x')]);
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c', 'both']);
  });

  it('does not let a busy key block work that does not need it', async () => {
    const { admitted, enter } = setUp();
    for (let i = 0; i < 100; i++) enter(`busy ${i}`, slot('cdn'));
    enter('free', slot('other'));
    await settled();
    expect(admitted).toEqual(['busy 0', 'free']);
  });

  it('does not starve work that needs two keys, one of which is always taken', async () => {
    const { limits, admitted, enter } = setUp();
    enter('0', slot('x'));
    enter('both', slot('x'), slot('y'));
    for (let i = 1; i < 50; i++) {
      enter(String(i), slot('x'));
      limits.release([slot('x')]);
      await settled();
    }
    expect(admitted.indexOf('both')).toBe(1);
  });

  it('reports whether an entry would wait', async () => {
    const { limits, enter } = setUp();
    expect(limits.isFull([slot('x'), slot('y')])).toBe(false);
    enter('a', slot('y'));
    expect(limits.isFull([slot('x'), slot('y')])).toBe(true);
    expect(limits.isFull([slot('x')])).toBe(false);
    limits.release([slot('y')]);
    expect(limits.isFull([slot('x'), slot('y')])).toBe(false);
  });

  it('never exceeds a limit, admits every entry and ends empty, for any entries in any order', async () => {
    const limitOf: Record<string, number> = { a: 1, b: 2, c: 3, free: 0 };
    const keySets = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'free'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(keySets, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (entries, choices) => {
        const limits = new HostLimits();
        const holders = new Map<string, number>();
        const inside: Slot[][] = [];
        let entered = 0;
        for (const keys of entries) {
          const slots = keys.map((key) => slot(key, limitOf[key]));
          void limits.acquire(slots).then(() => {
            entered += 1;
            inside.push(slots);
            for (const { key, limit } of slots) {
              const count = (holders.get(key) ?? 0) + 1;
              holders.set(key, count);
              if (limit !== 0) expect(count).toBeLessThanOrEqual(limit);
            }
          });
        }
        await settled();
        // One holder after another leaves, in an arbitrary order.
        while (inside.length > 0) {
          const [leaving] = inside.splice(choices.next().value % inside.length, 1);
          for (const { key } of leaving ?? []) holders.set(key, (holders.get(key) ?? 0) - 1);
          limits.release(leaving ?? []);
          await settled();
        }
        expect(entered).toBe(entries.length);
        for (const [key, limit] of Object.entries(limitOf)) expect(limits.isFull([slot(key, limit)])).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
