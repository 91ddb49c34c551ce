import { DAY_MS } from '../time.ts';
import { COUNTS } from './fact-leaves.ts';
import type { InstanceFlag } from './instance-facts.ts';
import type { UsageSample } from './usage-sample.ts';

interface UsageRule {
  flag: InstanceFlag;
  /** @param samples newest first; the first is `current`. Unknown counts are ignored. */
  holds: (current: UsageSample, samples: readonly UsageSample[]) => boolean;
  /** Random counts would set and clear the flag at each visit. */
  isMeaninglessIfRandom: boolean;
}

const RULES: readonly UsageRule[] = [
  { flag: 'users-jump', holds: (_, samples) => usersJumped(samples), isMeaninglessIfRandom: true },
  { flag: 'users-without-posts', holds: hasUsersWithoutPosts, isMeaninglessIfRandom: true },
  { flag: 'counts-contradict', holds: contradicts, isMeaninglessIfRandom: true },
  { flag: 'counts-random', holds: isRandom, isMeaninglessIfRandom: false },
  { flag: 'counts-absurd', holds: isAbsurd, isMeaninglessIfRandom: false },
];

/**
 * The flags that apply to the counts of an instance.
 *
 * @param samples newest first, including the current one.
 */
export function usageFlags(samples: readonly UsageSample[]): InstanceFlag[] {
  const [current] = samples;
  if (current === undefined) return [];
  const areRandom = isRandom(current, samples);
  return RULES.filter((rule) => !(areRandom && rule.isMeaninglessIfRandom) && rule.holds(current, samples)).map(
    ({ flag }) => flag,
  );
}

/** A server with more users has posts; a smaller one may be newly set up. */
const MANY_USERS = 1_000;

/** A server that ever reported posts is assumed to have posts: a later 0 may be a reset counter. */
function hasUsersWithoutPosts({ users, posts }: UsageSample, samples: readonly UsageSample[]): boolean {
  if (users === null || users <= MANY_USERS || posts !== 0) return false;
  return samples.every((sample) => sample.posts === null || sample.posts === 0);
}

/** Tolerance: servers cache each count separately, and estimate active users (HyperLogLog errs by about 1 %). */
const TOLERANCE = { share: 0.02, min: 1 };

function contradicts({ users, activeMonth, activeHalfyear }: UsageSample): boolean {
  return exceeds(activeMonth, users) || exceeds(activeHalfyear, users) || exceeds(activeMonth, activeHalfyear);
}

function exceeds(part: number | null, whole: number | null): boolean {
  if (part === null || whole === null) return false;
  return part - whole > Math.max(TOLERANCE.min, whole * TOLERANCE.share);
}

/**
 * Real counts grow, and fall after a purge; they do not rise twice and fall twice by over half within a month. Random counts meet this
 * rule at 97 of 100 visits once ten earlier samples are known.
 */
const RANDOM = { withinMs: 30 * DAY_MS, rises: 2, falls: 2, jumpShare: 0.5, minJump: 100 };

/**
 * GoToSocial can report random users (0 to 1,000,000) and posts (0 to 10,000,000), new ones every hour. Active users are ignored: on
 * small servers they jump for real.
 */
function isRandom(current: UsageSample, samples: readonly UsageSample[]): boolean {
  const recent = samples.filter(({ at }) => Math.abs(current.at - at) <= RANDOM.withinMs);
  return fluctuates(recent.map(({ users }) => users)) || fluctuates(recent.map(({ posts }) => posts));
}

/** Jumps from or to 0 are ignored: a counter was reset. */
function fluctuates(newestFirst: readonly (number | null)[]): boolean {
  const counts = newestFirst.filter((count) => count !== null).filter((count) => count > 0);
  let rises = 0;
  let falls = 0;
  for (const [index, later] of counts.entries()) {
    const earlier = counts[index + 1];
    if (earlier === undefined || Math.abs(later - earlier) <= RANDOM.minJump) continue;
    if (Math.abs(later - earlier) <= earlier * RANDOM.jumpShare) continue;
    if (later > earlier) rises++;
    else falls++;
  }
  return rises >= RANDOM.rises && falls >= RANDOM.falls;
}

/** More than any service has ever had. Also keeps every total below 2^53. */
const MAX_PLAUSIBLE = 1_000_000_000;

type Counts = Omit<UsageSample, 'at'>;

function isAbsurd(counts: Counts): boolean {
  return COUNTS.some(({ key }) => (counts[key] ?? 0) > MAX_PLAUSIBLE);
}

/** Whether the counts of an instance are left out of every total: one is absurd, or they are random. */
export function areCountsImplausible(counts: Counts, flags: readonly string[]): boolean {
  return isAbsurd(counts) || flags.includes('counts-random' satisfies InstanceFlag);
}

/** A small server may grow from 5 users to 50; a large one does not grow tenfold within a week. */
const JUMP = { factor: 10, users: 1_000, withinMs: 7 * DAY_MS };

/**
 * Whether the number of users grew or shrank more than tenfold, and by more than a thousand, within a week. An earlier count is confirmed
 * if the sample before or after it is similar. The current count is compared with the confirmed ones; if there are none, it must differ
 * from all: some servers report 0 once after a restart, and then the 0 is wrong, not the count after it. Unknown counts are ignored.
 *
 * @param samples newest first; the first is tested.
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
    (count, index) => isSimilar(count, recent[index - 1]) || isSimilar(count, recent[index + 1]),
  );
  if (confirmed.length > 0) return confirmed.some((count) => isJump(users, count));
  return recent.length > 0 && recent.every((count) => isJump(users, count));
}

function isSimilar(count: number, neighbour: number | undefined): boolean {
  return neighbour !== undefined && !isJump(count, neighbour);
}

function isJump(a: number, b: number): boolean {
  const min = Math.min(a, b);
  const max = Math.max(a, b);
  return max > min * JUMP.factor && max - min > JUMP.users;
}
