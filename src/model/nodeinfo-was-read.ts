import type { InstanceFacts } from './facts/instance-facts.ts';
import type { Via } from './verdict.ts';

/**
 * Whether the visit that read these facts of an instance read its NodeInfo document too. After config it is asked for unless
 * federation is off, and a flag tells when it could not be had.
 */
export function nodeInfoWasRead(facts: InstanceFacts, via: Via): boolean {
  if (via === 'nodeinfo' || facts.usage.asOf !== null) return true;
  return facts.federation !== false && !facts.flags.includes('nodeinfo-unavailable');
}
