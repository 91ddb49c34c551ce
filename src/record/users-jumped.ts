import type { UsageSample } from './usage-sample.ts';

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
