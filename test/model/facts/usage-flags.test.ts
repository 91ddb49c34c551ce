import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InstanceFlag } from '../../../src/model/facts/instance-facts.ts';
import { usageFlags } from '../../../src/model/facts/usage-flags.ts';
import type { UsageSample } from '../../../src/model/facts/usage-sample.ts';
import { day, samplesOf } from './sample-visit-facts.ts';

type Counts = Omit<UsageSample, 'at'>;

/** Realistic counts: 30 % of the users active in a month, 50 % in half a year, some posts each. */
function realisticCounts(users: number, postsEach = 4): Counts {
  return {
    users,
    activeMonth: Math.ceil(users * 0.3),
    activeHalfyear: Math.ceil(users * 0.5),
    posts: Math.round(users * postsEach),
  };
}

/** The flags at each sample, computed with up to ten samples before it; oldest first. */
function flagsOverTime(counts: readonly Counts[]): InstanceFlag[][] {
  const samples = samplesOf(counts);
  return samples.map((_, index) => usageFlags(samples.slice(index, index + 11))).reverse();
}

function flagsOf(counts: Partial<Counts>): InstanceFlag[] {
  return usageFlags(samplesOf([counts]));
}

/** A deterministic random number generator (Lehmer). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}

/** Random counts, as GoToSocial reports them in its `baffle` mode. */
function randomCounts(random: (below: number) => number): Counts {
  const users = random(1_000_000);
  return { users, activeMonth: random(users + 1), activeHalfyear: null, posts: random(10_000_000) };
}

const repeat = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);
const noFlags = (count: number): InstanceFlag[][] => repeat(count, []);

describe('usageFlags of a history', () => {
  it('returns none without samples or for unknown counts', () => {
    expect(usageFlags([])).toEqual([]);
    expect(flagsOf({})).toEqual([]);
  });

  it('returns none for a server that grows from 5 users to 5,000', () => {
    const growth = Array.from({ length: 200 }, (_, index) => realisticCounts(Math.round(5 * 1.035 ** index)));
    expect(flagsOverTime(growth)).toEqual(noFlags(200));
  });

  it('returns none for a single-user server', () => {
    expect(flagsOverTime(Array.from({ length: 30 }, (_, index) => realisticCounts(1, index)))).toEqual(noFlags(30));
  });

  it('returns none for a new server that doubles at every visit, up to a thousand users', () => {
    expect(flagsOverTime([10, 20, 40, 80, 160, 320, 640, 1_000].map((users) => realisticCounts(users)))).toEqual(
      noFlags(8),
    );
  });

  it('returns none for a small server with varying active users', () => {
    const wavering = [8, 3, 9, 2, 8, 3, 9, 1].map((activeMonth) => ({
      ...realisticCounts(12),
      activeMonth,
      activeHalfyear: 11,
    }));
    expect(flagsOverTime(wavering)).toEqual(noFlags(8));
  });

  it('returns none for a small server whose users delete posts and post again', () => {
    expect(flagsOverTime([20, 90, 20, 90, 20, 90, 20].map((posts) => ({ ...realisticCounts(3), posts })))).toEqual(
      noFlags(7),
    );
  });

  it('returns none for a server that deletes old posts', () => {
    expect(flagsOverTime([...repeat(5, realisticCounts(300, 40)), ...repeat(10, realisticCounts(300, 2))])).toEqual(
      noFlags(15),
    );
  });

  it('flags a spam wave and its purge as jumps', () => {
    const normal = repeat(6, realisticCounts(80));
    const spam = repeat(3, { ...realisticCounts(80), users: 74_234 });
    const flags = flagsOverTime([...normal, ...spam, ...normal, ...normal]);
    expect(flags.slice(0, 6)).toEqual(noFlags(6));
    expect(flags.slice(6, 9)).toEqual([['users-jump'], ['users-jump'], ['users-jump']]);
    expect(flags[9]).toEqual(['users-jump']);
    expect(flags.slice(6).every((found) => !found.includes('counts-random'))).toBe(true);
    expect(flags.at(-1)).toEqual([]);
  });

  it('flags counters reset to 0 by a restart only while they are 0', () => {
    const zero = { users: 0, activeMonth: 0, activeHalfyear: 0, posts: 0 };
    const steady = repeat(5, realisticCounts(5_000));
    const flags = flagsOverTime([...steady, zero, ...steady, zero, ...steady, ...steady]);
    expect(flags.flatMap((found, index) => (found.length > 0 ? [[index, ...found]] : []))).toEqual([
      [5, 'users-jump'],
      [11, 'users-jump'],
    ]);
  });

  it('does not flag a reset post counter as a server without posts', () => {
    const steady = repeat(3, realisticCounts(5_000));
    expect(flagsOverTime([...steady, { ...realisticCounts(5_000), posts: 0 }, ...steady])).toEqual(noFlags(7));
  });

  it('flags random counts as random in over 95 % of cases, and then as nothing else', () => {
    let cases = 0;
    let flaggedCount = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const random = createRandom(seed * 7_919);
      for (const flags of flagsOverTime(Array.from({ length: 40 }, () => randomCounts(random))).slice(10)) {
        cases++;
        if (flags.includes('counts-random')) {
          flaggedCount++;
          expect(flags).toEqual(['counts-random']);
        }
      }
    }
    expect(flaggedCount / cases).toBeGreaterThan(0.95);
  });

  it('flags random counts in most cases after eight visits', () => {
    let flaggedCount = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const random = createRandom(seed * 104_729);
      if (usageFlags(samplesOf(Array.from({ length: 8 }, () => randomCounts(random)))).includes('counts-random'))
        flaggedCount++;
    }
    expect(flaggedCount).toBeGreaterThan(150);
  });

  it('does not flag two spam waves in a year as random', () => {
    const samples = samplesOf(
      [realisticCounts(90), realisticCounts(9_000), realisticCounts(90), realisticCounts(9_000), realisticCounts(90)],
      60 * day,
    );
    expect(usageFlags(samples)).toEqual([]);
  });
});

describe('usageFlags of one sample', () => {
  it('flags more than a thousand users without posts', () => {
    expect(flagsOf({ users: 1_001, posts: 0 })).toEqual(['users-without-posts']);
    expect(flagsOf({ users: 1_000, posts: 0 })).toEqual([]);
    expect(flagsOf({ users: 74_234, posts: 1 })).toEqual([]);
  });

  it('does not treat unknown posts as none', () => {
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

  it('tolerates small differences between counts that are cached separately', () => {
    expect(flagsOf({ users: 5, activeMonth: 6 })).toEqual([]);
    expect(flagsOf({ users: 5, activeMonth: 7 })).toEqual(['counts-contradict']);
    expect(flagsOf({ users: 10_000, activeMonth: 10_200 })).toEqual([]);
    expect(flagsOf({ users: 10_000, activeMonth: 10_201 })).toEqual(['counts-contradict']);
  });

  it('flags any count over a billion as absurd', () => {
    for (const count of ['users', 'activeMonth', 'activeHalfyear', 'posts'] as const) {
      expect(flagsOf({ [count]: 1_000_000_001 })).toContain('counts-absurd');
      expect(flagsOf({ [count]: 1_000_000_000 })).not.toContain('counts-absurd');
    }
    expect(flagsOf({ users: Number.MAX_SAFE_INTEGER })).toEqual(['counts-absurd']);
  });

  it('returns flags of the vocabulary, each once, and never throws', () => {
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
