import type { Reason } from './reason.ts';
import type { Step } from './step.ts';

/**
 * What stands behind the reason of a visit: where robots.txt could not be had, how the request for it failed. `robots-unreachable`
 * itself where that is not known.
 */
export function causeOf(reason: Reason, steps: readonly Step[] | null): Reason {
  if (reason !== 'robots-unreachable') return reason;
  const asked = steps?.findLast(({ probe }) => probe === 'robots');
  if (asked === undefined) return reason;
  if (asked.failure !== null) return asked.failure;
  return asked.status !== null && asked.status >= 500 ? 'http-5xx' : reason;
}
