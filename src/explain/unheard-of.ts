import type { Domain } from '../domain/domain.ts';
import type { Explanation } from './explanation.ts';

/** The answer for a domain that the store does not know. */
export function unheardOf(domain: Domain, now: number): Explanation {
  return {
    domain,
    asOf: new Date(now).toISOString(),
    state: null,
    since: null,
    stateWhy: null,
    verdict: null,
    reason: null,
    via: null,
    listed: false,
    headline: `${domain} is not listed: it was never heard of.`,
    why: 'No source has named it, no server has led to it, and nobody has asked for it.',
    whatWouldChange: [`To enter it and visit it now: loopscout add ${domain}.`],
    firstSeen: null,
    lastVisit: null,
    lastSeen: null,
    nextVisit: null,
    nextVisitWhy: null,
    uptime: null,
    facts: null,
    flags: [],
    changes: [],
    visits: [],
  };
}
