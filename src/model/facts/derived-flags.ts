import { DAY_MS, type EpochMs } from '../time.ts';
import type { InstanceFlag } from './instance-facts.ts';
import type { KnownFacts } from './known-facts.ts';
import { isOlder } from './version-order.ts';

export interface FlagContext {
  /** Now. */
  at: EpochMs;
  /** A fact last read longer ago than this is stale. */
  staleDays: number;
  /** The newest version; null when unknown, and then no version is outdated. */
  newest: string | null;
  /** Whether many listed instances share the instance's registrable domain. */
  hasCrowdedDomain: boolean;
  /** Whether the last visit failed and no second one has confirmed that. */
  isUnconfirmed: boolean;
}

/**
 * The flags that depend on the current time and on other instances. They are not stored, so they neither go stale nor fill the history.
 * A version that cannot be compared is not outdated, and an unknown fact is not stale.
 */
export function derivedFlags({ facts, readAt }: KnownFacts, context: FlagContext): InstanceFlag[] {
  const { at, staleDays, newest, hasCrowdedDomain, isUnconfirmed } = context;
  const flags: InstanceFlag[] = [];
  if (hasCrowdedDomain) flags.push('crowded-domain');
  if (newest !== null && facts.version !== null && isOlder(facts.version, newest) === true) flags.push('outdated');
  const staleBefore = at - staleDays * DAY_MS;
  if (Object.values(readAt).some((time) => time < staleBefore)) flags.push('stale-facts');
  if (isUnconfirmed) flags.push('unconfirmed');
  return flags;
}
