import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import type { Store } from '../../src/store/store.ts';
import { loopsVisit, recordedVisit } from '../store/sample-visit.ts';

const HOUR = 3_600_000;

export const namesOf = (group: string, count: number, start = 0): Domain[] =>
  Array.from({ length: count }, (_, index) => storedDomain(`${group}-${start + index}.example.org`));
export const groupOf = (domain: Domain): string => domain.replace(/-\d+\..*/, '');

export interface Crawl {
  /** Milliseconds since the epoch. */
  from: number;
  until: number;
  visitsPerSecond: number;
  /** Visits picked together. */
  batch: number;
  /** The result of a visit, and the hours to the next. */
  visitOf: (domain: Domain, at: number) => { visit: Visit; hours: number };
  /** Called before each pick. */
  onPick?: (at: number) => void;
}

export interface GroupFigures {
  visits: number;
  /** Time of the last visit, in milliseconds since the start. */
  lastAfterMs: number;
  /** The longest time from the due time of a domain to its visit, in milliseconds. */
  latestMs: number;
}

/** Crawls a store with a simulated clock, at a fixed rate, and returns figures by group of domains. */
export function crawlInTime(store: Store, { from, until, visitsPerSecond, batch, visitOf, onPick }: Crawl) {
  const groups = new Map<string, GroupFigures>();
  const stepMs = (batch / visitsPerSecond) * 1_000;
  for (let at = from; at < until; at += stepMs) {
    onPick?.(at);
    const picked = store.due.pick(batch, at);
    store.visits.record(
      picked.map((one) => {
        const { domain, nextVisit } = one.record;
        const group = groups.get(groupOf(domain)) ?? { visits: 0, lastAfterMs: 0, latestMs: 0 };
        groups.set(groupOf(domain), group);
        group.visits += 1;
        group.lastAfterMs = at - from;
        group.latestMs = Math.max(group.latestMs, at - (nextVisit ?? at));
        const { visit, hours } = visitOf(domain, at);
        const result = recordedVisit(one, at, visit);
        return { ...result, after: { ...result.after, nextVisit: Math.round(at + hours * HOUR) } };
      }),
    );
  }
  return (group: string) => groups.get(group) ?? { visits: 0, lastAfterMs: 0, latestMs: 0 };
}

/** A visit of a server that is not Loops, with its next visit in a week. */
export function otherVisit(domain: Domain, at: number): { visit: Visit; hours: number } {
  const visit = loopsVisit(domain, at, { verdict: 'other', via: 'nodeinfo', software: 'mastodon', facts: null });
  return { visit, hours: 168 };
}
