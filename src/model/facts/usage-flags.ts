import { COUNTS } from './fact-leaves.ts';
import type { InstanceFlag } from './instance-facts.ts';
import type { UsageSample } from './usage-sample.ts';

const DAY_MS = 86_400_000;

interface UsageRule {
  flag: InstanceFlag;
  /** Newest first; the first is what is published. Unknown counts say nothing. */
  holds: (current: UsageSample, samples: readonly UsageSample[]) => boolean;
  /** Of counts that are drawn by lot, it would come and go with each visit. */
  isMootOfRandom: boolean;
}

const RULES: readonly UsageRule[] = [
  { flag: 'users-jump', holds: (_, samples) => usersJumped(samples), isMootOfRandom: true },
  { flag: 'users-without-posts', holds: hasUsersWithoutPosts, isMootOfRandom: true },
  { flag: 'counts-contradict', holds: contradicts, isMootOfRandom: true },
  { flag: 'counts-random', holds: isRandom, isMootOfRandom: false },
  { flag: 'counts-absurd', holds: isAbsurd, isMootOfRandom: false },
];

/**
 * What is odd about the counts of an instance, by rules that are told in the vocabulary ({@link InstanceFlag}). Pure.
 *
 * @param samples newest first, the current one included.
 */
export function usageFlags(samples: readonly UsageSample[]): InstanceFlag[] {
  const [current] = samples;
  if (current === undefined) return [];
  const areRandom = isRandom(current, samples);
  return RULES.filter((rule) => !(areRandom && rule.isMootOfRandom) && rule.holds(current, samples)).map(
    ({ flag }) => flag,
  );
}

/** A server so large has posts; a smaller one may just have been set up. */
const MANY_USERS = 1_000;

/** Posts that were ever counted are there, or were: a counter that starts again at 0 is no server without posts. */
function hasUsersWithoutPosts({ users, posts }: UsageSample, samples: readonly UsageSample[]): boolean {
  if (users === null || users <= MANY_USERS || posts !== 0) return false;
  return samples.every((sample) => sample.posts === null || sample.posts === 0);
}

/** Servers cache each count for a while of its own, and estimate the active (HyperLogLog errs by about 1 %). */
const CACHED_APART = { share: 0.02, least: 1 };

function contradicts({ users, activeMonth, activeHalfyear }: UsageSample): boolean {
  return exceeds(activeMonth, users) || exceeds(activeHalfyear, users) || exceeds(activeMonth, activeHalfyear);
}

function exceeds(part: number | null, whole: number | null): boolean {
  if (part === null || whole === null) return false;
  return part - whole > Math.max(CACHED_APART.least, whole * CACHED_APART.share);
}

/**
 * Real counts climb, and fall at a purge. Twice up and twice down by over half of what they were, within a month, is none of that.
 * Counts drawn by lot meet this at 97 of 100 visits once ten earlier ones are known.
 */
const RANDOM = { withinMs: 30 * DAY_MS, ups: 2, downs: 2, leapShare: 0.5, leastLeap: 100 };

/**
 * GoToSocial can serve users drawn from 0 to 1,000,000 and posts from 0 to 10,000,000, anew every hour. Active users are left
 * out: on small servers they do leap.
 */
function isRandom(current: UsageSample, samples: readonly UsageSample[]): boolean {
  const recent = samples.filter(({ at }) => Math.abs(current.at - at) <= RANDOM.withinMs);
  return leapsAbout(recent.map(({ users }) => users)) || leapsAbout(recent.map(({ posts }) => posts));
}

/** A leap from or to 0 is left out: that is what a counter does that is set back. */
function leapsAbout(newestFirst: readonly (number | null)[]): boolean {
  const counts = newestFirst.filter((count) => count !== null).filter((count) => count > 0);
  let ups = 0;
  let downs = 0;
  for (const [index, later] of counts.entries()) {
    const earlier = counts[index + 1];
    if (earlier === undefined || Math.abs(later - earlier) <= RANDOM.leastLeap) continue;
    if (Math.abs(later - earlier) <= earlier * RANDOM.leapShare) continue;
    if (later > earlier) ups++;
    else downs++;
  }
  return ups >= RANDOM.ups && downs >= RANDOM.downs;
}

/** More than any service has had. */
const MOST_PLAUSIBLE = 1_000_000_000;

function isAbsurd(current: UsageSample): boolean {
  return COUNTS.some(({ key }) => (current[key] ?? 0) > MOST_PLAUSIBLE);
}

/** A small server may well grow from 5 users to 50, and a large one does not grow tenfold within a week. */
const JUMP = { factor: 10, users: 1_000, withinMs: 7 * 86_400_000 };

/**
 * Whether the users of an instance are now more than ten times as many, or as few, as within a week before, and by more than a
 * thousand. A count that one visit alone has read is not held against the others: after a restart some servers report 0 once, and
 * it is that count which is odd, not the true one that follows it. Unknown counts are passed over. Pure.
 *
 * @param samples newest first; the first is judged.
 */
export function usersJumped(samples: readonly UsageSample[]): boolean {
  const [current, ...earlier] = samples;
  const users = current?.users ?? null;
  if (current === undefined || users === null) return false;
  const recent = earlier
    .filter(({ at }) => Math.abs(current.at - at) <= JUMP.withinMs)
    .map((sample) => sample.users)
    .filter((count) => count !== null);
  const confirmed = recent.filter(
    (count, index) => isNear(count, recent[index - 1]) || isNear(count, recent[index + 1]),
  );
  if (confirmed.length > 0) return confirmed.some((count) => isJump(users, count));
  return recent.length > 0 && recent.every((count) => isJump(users, count));
}

function isNear(count: number, neighbour: number | undefined): boolean {
  return neighbour !== undefined && !isJump(count, neighbour);
}

function isJump(one: number, other: number): boolean {
  const least = Math.min(one, other);
  const most = Math.max(one, other);
  return most > least * JUMP.factor && most - least > JUMP.users;
}
