import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Claim, createAdmission } from '../../src/queue/admission.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const claim = (key: string, limit = 1): Claim => ({ key, limit });

/** An admission, and the names it admitted, in order. */
function setUp() {
  const admission = createAdmission();
  const admitted: string[] = [];
  const enter = (name: string, ...claims: Claim[]) => void admission.enter(claims).then(() => admitted.push(name));
  return { admission, admitted, enter };
}

describe('admission', () => {
  it('admits as many holders of a key as its limit', async () => {
    const { admission, admitted, enter } = setUp();
    for (const name of ['a', 'b', 'c']) enter(name, claim('x', 2));
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    admission.leave([claim('x', 2)]);
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('treats the limit 0 as no limit', async () => {
    const { admission, admitted, enter } = setUp();
    for (let i = 0; i < 1_000; i++) enter(String(i), claim('x', 0));
    await settled();
    expect(admitted).toHaveLength(1_000);
    expect(admission.isFull([claim('x', 0)])).toBe(false);
  });

  it('admits waiters for a key in the order of arrival', async () => {
    const { admission, admitted, enter } = setUp();
    for (const name of ['a', 'b', 'c', 'd', 'e']) enter(name, claim('x'));
    for (let i = 0; i < 5; i++) {
      await settled();
      admission.leave([claim('x')]);
    }
    expect(admitted).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('admits the first waiter before a newcomer when a slot is released', async () => {
    const { admission, admitted, enter } = setUp();
    enter('first', claim('x'));
    enter('waits', claim('x'));
    await settled();
    admission.leave([claim('x')]);
    enter('late', claim('x'));
    await settled();
    expect(admitted).toEqual(['first', 'waits']);
  });

  it('counts a key once if one entry claims it twice', async () => {
    const { admission, admitted, enter } = setUp();
    enter('a', claim('x', 2), claim('x', 2));
    enter('b', claim('x', 2), claim('x', 2));
    enter('c', claim('x', 2));
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    admission.leave([claim('x', 2), claim('x', 2)]);
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c']);
    expect(admission.isFull([claim('x', 2)])).toBe(true);
  });

  it('gives an entry all its slots at once, and none while it waits', async () => {
    const { admission, admitted, enter } = setUp();
    enter('a', claim('x'));
    enter('both', claim('x'), claim('y'));
    enter('b', claim('y'));
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    admission.leave([claim('x')]);
    await settled();
    expect(admitted).toEqual(['a', 'b']);
    enter('c', claim('x'));
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c']);
    admission.leave([claim('y')]);
    admission.leave([claim('x')]);
    await settled();
    expect(admitted).toEqual(['a', 'b', 'c', 'both']);
  });

  it('does not let a busy key block work that does not need it', async () => {
    const { admitted, enter } = setUp();
    for (let i = 0; i < 100; i++) enter(`busy ${i}`, claim('cdn'));
    enter('free', claim('other'));
    await settled();
    expect(admitted).toEqual(['busy 0', 'free']);
  });

  it('does not starve work that needs two keys, one of which is always taken', async () => {
    const { admission, admitted, enter } = setUp();
    enter('0', claim('x'));
    enter('both', claim('x'), claim('y'));
    for (let i = 1; i < 50; i++) {
      enter(String(i), claim('x'));
      admission.leave([claim('x')]);
      await settled();
    }
    expect(admitted.indexOf('both')).toBe(1);
  });

  it('reports whether an entry would wait', async () => {
    const { admission, enter } = setUp();
    expect(admission.isFull([claim('x'), claim('y')])).toBe(false);
    enter('a', claim('y'));
    expect(admission.isFull([claim('x'), claim('y')])).toBe(true);
    expect(admission.isFull([claim('x')])).toBe(false);
    admission.leave([claim('y')]);
    expect(admission.isFull([claim('x'), claim('y')])).toBe(false);
  });

  it('never exceeds a limit, admits every entry and ends empty, for any entries in any order', async () => {
    const limits: Record<string, number> = { a: 1, b: 2, c: 3, free: 0 };
    const keySets = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'free'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(keySets, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (entries, choices) => {
        const admission = createAdmission();
        const holders = new Map<string, number>();
        const inside: Claim[][] = [];
        let entered = 0;
        for (const keys of entries) {
          const claims = keys.map((key) => claim(key, limits[key]));
          void admission.enter(claims).then(() => {
            entered += 1;
            inside.push(claims);
            for (const { key, limit } of claims) {
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
          admission.leave(leaving ?? []);
          await settled();
        }
        expect(entered).toBe(entries.length);
        for (const [key, limit] of Object.entries(limits)) expect(admission.isFull([claim(key, limit)])).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
