import { NO_RULES, parseRobots, type RobotsRules } from '../http/robots.ts';
import type { Probe } from '../record/step.ts';
import type { Ask } from './ask.ts';
import { type Decision, declined, unreachable } from './decision.ts';
import { isShared } from './shared-failure.ts';

/**
 * How robots.txt is obeyed. `standard`: a group that names our token for everything, the `*` group for everything but the
 * config endpoint, which the service documents as public for exactly this use. `strict`: both, for everything. `off`: for
 * one's own servers.
 */
export type RobotsMode = 'standard' | 'strict' | 'off';

/** Why a request to a target (path and query) on the visited host may not be made, in words, or null when it may. */
export type RobotsGate = (probe: Probe, target: string) => string | null;

/** Reads the robots.txt of a host; a decision means that the visit ends here. RFC 9309: 4xx allows all, 5xx and silence nothing. */
export async function readRobots(ask: Ask, origin: string, mode: RobotsMode): Promise<RobotsGate | Decision> {
  if (mode === 'off') return () => null;
  const answer = await ask('robots', new URL('/robots.txt', origin));
  if (answer.kind === 'document') return gateOf(parseRobots(answer.body), mode);
  if (answer.kind === 'status') {
    if (answer.status >= 500) return unreachable('robots-unreachable', answer.retryAfterMs);
    if (answer.status === 429) return declined('rate-limited', answer.retryAfterMs);
  }
  if (answer.kind === 'failure') {
    if (answer.failure === 'forbidden-address') return declined(answer.failure);
    return unreachable(isShared(answer.failure) ? answer.failure : 'robots-unreachable');
  }
  // A robots.txt that is redirected away is not one for this host.
  return gateOf(NO_RULES, mode);
}

function gateOf(rules: RobotsRules, mode: RobotsMode): RobotsGate {
  return (probe, target) => {
    const by = rules(target);
    if (by === 'ours') return 'not asked: robots.txt forbids it to Loopscout';
    if (by === 'everyone' && (mode === 'strict' || probe !== 'config')) return 'not asked: robots';
    return null;
  };
}
