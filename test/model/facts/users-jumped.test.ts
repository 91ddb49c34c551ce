import { describe, expect, it } from 'vitest';
import { usersJumped } from '../../../src/model/facts/usage-flags.ts';
import type { UsageSample } from '../../../src/model/facts/usage-sample.ts';
import { day, samplesOf } from './sample-visit-facts.ts';

/** Whether there is a jump at each sample, computed with up to ten samples before it; oldest first. */
function jumpsOverTime(samples: readonly UsageSample[]): boolean[] {
  return samples.map((_, index) => usersJumped(samples.slice(index, index + 11))).reverse();
}

describe('usersJumped', () => {
  it('is false without an earlier count', () => {
    expect(usersJumped([])).toBe(false);
    expect(usersJumped(samplesOf([74_234]))).toBe(false);
    expect(usersJumped(samplesOf([{ posts: 3 }, { users: 74_234 }]))).toBe(false);
    expect(usersJumped(samplesOf([{ users: 74_234 }, { posts: 3 }]))).toBe(false);
  });

  it('is true if a server with five users reports 74,234', () => {
    expect(jumpsOverTime(samplesOf([5, 5, 5, 74_234, 74_234, 74_240]))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(usersJumped(samplesOf([5, 74_234]))).toBe(true);
  });

  it('is true for a purge', () => {
    expect(jumpsOverTime(samplesOf([74_234, 74_234, 5, 5]))).toEqual([false, false, true, true]);
  });

  it('is false for any growth up to a thousand users', () => {
    expect(jumpsOverTime(samplesOf([5, 50, 500, 900]))).toEqual([false, false, false, false]);
    expect(usersJumped(samplesOf([0, 1_000]))).toBe(false);
  });

  it('is false for growth up to tenfold', () => {
    expect(usersJumped(samplesOf([9_000, 9_000, 90_000]))).toBe(false);
    expect(usersJumped(samplesOf([9_000, 9_000, 90_001]))).toBe(true);
    expect(usersJumped(samplesOf([111, 111, 1_111]))).toBe(false);
    expect(usersJumped(samplesOf([111, 111, 1_112]))).toBe(true);
  });

  it('compares samples within a week', () => {
    expect(usersJumped(samplesOf([5, 74_234], 7 * day))).toBe(true);
    expect(usersJumped(samplesOf([5, 74_234], 7 * day + 1))).toBe(false);
  });

  it('is true for a single 0 after a restart, not for the counts that follow', () => {
    const flags = jumpsOverTime(samplesOf([...Array<number>(6).fill(5_000), 0, ...Array<number>(14).fill(5_000)]));
    expect(flags.flatMap((isJump, index) => (isJump ? [index] : []))).toEqual([6]);
  });

  it('is true for a single 0 at the second visit, not for the counts that follow', () => {
    expect(jumpsOverTime(samplesOf([5_000, 0, 5_000, 5_000]))).toEqual([false, true, false, false]);
  });

  it('is true for a jump at every visit', () => {
    expect(jumpsOverTime(samplesOf([100, 1_500, 20_000, 300_000]))).toEqual([false, true, true, true]);
  });

  it('ignores unknown counts between known ones', () => {
    expect(usersJumped(samplesOf([5, 5, { posts: 1 }, { posts: 1 }, 74_234]))).toBe(true);
  });

  it('compares samples within a week even if the clock was set back', () => {
    const [current, ...earlier] = samplesOf([5, 5, 74_234]);
    if (current === undefined) throw new Error('no sample');
    expect(usersJumped([{ ...current, at: current.at - day }, ...earlier])).toBe(true);
    expect(usersJumped([{ ...current, at: current.at - 30 * day }, ...earlier])).toBe(false);
  });
});
