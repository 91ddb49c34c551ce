import type { InstanceFlag } from './instance-facts.ts';
import type { KeptFacts } from './kept-facts.ts';
import { isOlder } from './version-order.ts';

const DAY_MS = 86_400_000;

/** What flags depend on besides the instance itself. */
export interface FlagContext {
  /** The time of reading, milliseconds since the epoch. */
  at: number;
  /** A fact that was read longer ago than this is stale. */
  staleDays: number;
  /** The newest version; null when it is not known, and then none is outdated. */
  newest: string | null;
  /** Whether many listed instances share its registrable domain. */
  isCrowded: boolean;
}

/**
 * The flags that depend on the time of reading and on other instances. They are not stored, so that they neither go stale nor fill the
 * history. A version that cannot be compared is not called outdated; what is unknown is not stale. Pure.
 */
export function derivedFlags({ facts, readAt }: KeptFacts, context: FlagContext): InstanceFlag[] {
  const { at, staleDays, newest, isCrowded } = context;
  const flags: InstanceFlag[] = [];
  if (isCrowded) flags.push('crowded-domain');
  if (newest !== null && facts.version !== null && isOlder(facts.version, newest) === true) flags.push('outdated');
  const staleBefore = at - staleDays * DAY_MS;
  if (Object.values(readAt).some((time) => time < staleBefore)) flags.push('stale-facts');
  return flags;
}
