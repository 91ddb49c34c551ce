import type { Domain } from '../domain/domain.ts';
import type { Explanation } from './explanation.ts';
import { NOTHING_WOULD } from './what-would-change.ts';

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

/** The answer for a name that the store has no row of, since an opt-out of its host, or of its `www.` twin, covers it. */
export function coveredByOptOut(domain: Domain, now: number): Explanation {
  return {
    ...unheardOf(domain, now),
    headline: `${domain} is not listed: its owner has opted out.`,
    why: 'An opt-out of its host covers it: it is never visited, no source brings it back, and nothing is kept of it.',
    whatWouldChange: [NOTHING_WOULD],
  };
}
