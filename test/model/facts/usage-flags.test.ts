import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InstanceFlag } from '../../../src/model/facts/instance-facts.ts';
import { usageFlags } from '../../../src/model/facts/usage-flags.ts';
import type { UsageSample } from '../../../src/model/facts/usage-sample.ts';
import { day, samplesOf } from './sample-visit-facts.ts';

type Counts = Omit<UsageSample, 'at'>;

/** Counts of a server whose people are real: a third active, some posts each. */
function real(users: number, postsEach = 4): Counts {
  return {
    users,
    activeMonth: Math.ceil(users * 0.3),
    activeHalfyear: Math.ceil(users * 0.5),
    posts: Math.round(users * postsEach),
  };
}

/** The flags at each sample in turn, the last ten before it looked at; oldest first. */
function history(counts: readonly Counts[]): InstanceFlag[][] {
  const samples = samplesOf(counts);
  return samples.map((_, index) => usageFlags(samples.slice(index, index + 11))).reverse();
}

function flagsOf(counts: Partial<Counts>): InstanceFlag[] {
  return usageFlags(samplesOf([counts]));
}

/** The same numbers in each run (Lehmer). */
function createDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}

/** As GoToSocial draws them in its mode `baffle`. */
function drawn(dice: (below: number) => number): Counts {
  const users = dice(1_000_000);
  return { users, activeMonth: dice(users + 1), activeHalfyear: null, posts: dice(10_000_000) };
}

const none = (count: number): InstanceFlag[][] => Array.from({ length: count }, () => []);

describe('usageFlags of histories', () => {
  it('finds nothing odd without samples, or in unknown counts', () => {
    expect(usageFlags([])).toEqual([]);
    expect(flagsOf({})).toEqual([]);
  });

  it('finds nothing odd in a server that grows from 5 users to 50 and on to 5,000', () => {
    const growth = Array.from({ length: 200 }, (_, index) => real(Math.round(5 * 1.035 ** index)));
    expect(history(growth)).toEqual(none(200));
  });

  it('finds nothing odd in a server of one', () => {
    expect(history(Array.from({ length: 30 }, (_, index) => real(1, index)))).toEqual(none(30));
  });

  it('finds nothing odd in a launch that doubles every visit, up to a thousand users', () => {
    expect(history([10, 20, 40, 80, 160, 320, 640, 1_000].map((users) => real(users)))).toEqual(none(8));
  });

  it('finds nothing odd in a small server whose active people come and go', () => {
    const wavering = [8, 3, 9, 2, 8, 3, 9, 1].map((activeMonth) => ({ ...real(12), activeMonth, activeHalfyear: 11 }));
    expect(history(wavering)).toEqual(none(8));
  });

  it('finds nothing odd in a small server whose people delete and post again', () => {
    expect(history([20, 90, 20, 90, 20, 90, 20].map((posts) => ({ ...real(3), posts })))).toEqual(none(7));
  });

  it('finds nothing odd in a server that deletes old posts', () => {
    expect(history([...none(5).map(() => real(300, 40)), ...none(10).map(() => real(300, 2))])).toEqual(none(15));
  });

  it('flags a spam wave, and its purge, as jumps', () => {
    const calm = none(6).map(() => real(80));
    const spam = none(3).map(() => ({ ...real(80), users: 74_234 }));
    const flags = history([...calm, ...spam, ...calm, ...calm]);
    expect(flags.slice(0, 6)).toEqual(none(6));
    expect(flags.slice(6, 9)).toEqual([['users-jump'], ['users-jump'], ['users-jump']]);
    expect(flags[9]).toEqual(['users-jump']);
    expect(flags.slice(6).every((found) => !found.includes('counts-random'))).toBe(true);
    expect(flags.at(-1)).toEqual([]);
  });

  it('flags counters set back to 0 by a restart for as long as they say so', () => {
    const zero = { users: 0, activeMonth: 0, activeHalfyear: 0, posts: 0 };
    const steady = none(5).map(() => real(5_000));
    const flags = history([...steady, zero, ...steady, zero, ...steady, ...steady]);
    expect(flags.flatMap((found, index) => (found.length > 0 ? [[index, ...found]] : []))).toEqual([
      [5, 'users-jump'],
      [11, 'users-jump'],
    ]);
  });

  it('does not take a counter of posts that was set back for a server without posts', () => {
    const steady = none(3).map(() => real(5_000));
    expect(history([...steady, { ...real(5_000), posts: 0 }, ...steady])).toEqual(none(7));
  });

  it('flags counts drawn by lot as random, whatever the draw, and as nothing else', () => {
    let judged = 0;
    let found = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const dice = createDice(seed * 7_919);
      for (const flags of history(Array.from({ length: 40 }, () => drawn(dice))).slice(10)) {
        judged++;
        if (flags.includes('counts-random')) {
          found++;
          expect(flags).toEqual(['counts-random']);
        }
      }
    }
    expect(found / judged).toBeGreaterThan(0.95);
  });

  it('knows drawn counts for random after a day and a half mostly', () => {
    let found = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const dice = createDice(seed * 104_729);
      if (usageFlags(samplesOf(Array.from({ length: 8 }, () => drawn(dice)))).includes('counts-random')) found++;
    }
    expect(found).toBeGreaterThan(150);
  });

  it('does not call two spam waves in a year random', () => {
    const samples = samplesOf([real(90), real(9_000), real(90), real(9_000), real(90)], 60 * day);
    expect(usageFlags(samples)).toEqual([]);
  });
});

describe('usageFlags of one sample', () => {
  it('flags users without posts from over a thousand on', () => {
    expect(flagsOf({ users: 1_001, posts: 0 })).toEqual(['users-without-posts']);
    expect(flagsOf({ users: 1_000, posts: 0 })).toEqual([]);
    expect(flagsOf({ users: 74_234, posts: 1 })).toEqual([]);
  });

  it('does not take unknown posts for none', () => {
    expect(flagsOf({ users: 74_234, posts: null })).toEqual([]);
  });

  it.each([
    ['more active in a month than users', { users: 5, activeMonth: 500 }],
    ['more active in half a year than users', { users: 5, activeHalfyear: 500 }],
    ['more active in a month than in half a year', { activeMonth: 500, activeHalfyear: 5 }],
    ['active people on a server without users', { users: 0, activeMonth: 2 }],
  ])('flags %s as a contradiction', (_, counts) => {
    expect(flagsOf(counts)).toEqual(['counts-contradict']);
  });

  it('forgives what counts that are cached apart differ by', () => {
    expect(flagsOf({ users: 5, activeMonth: 6 })).toEqual([]);
    expect(flagsOf({ users: 5, activeMonth: 7 })).toEqual(['counts-contradict']);
    expect(flagsOf({ users: 10_000, activeMonth: 10_200 })).toEqual([]);
    expect(flagsOf({ users: 10_000, activeMonth: 10_201 })).toEqual(['counts-contradict']);
  });

  it('flags a count over a billion as absurd, whichever it is', () => {
    for (const count of ['users', 'activeMonth', 'activeHalfyear', 'posts'] as const) {
      expect(flagsOf({ [count]: 1_000_000_001 })).toContain('counts-absurd');
      expect(flagsOf({ [count]: 1_000_000_000 })).not.toContain('counts-absurd');
    }
    expect(flagsOf({ users: Number.MAX_SAFE_INTEGER })).toEqual(['counts-absurd']);
  });

  it('answers flags of the vocabulary, each once, and never throws', () => {
    const count = fc.option(fc.nat({ max: 2 ** 40 }), { nil: null });
    const counts = fc.record({ users: count, activeMonth: count, activeHalfyear: count, posts: count });
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 12 }), (list) => {
        const flags = usageFlags(samplesOf(list));
        expect(new Set(flags).size).toBe(flags.length);
        for (const flag of flags) expect(InstanceFlag.options).toContain(flag);
      }),
    );
  });
});
