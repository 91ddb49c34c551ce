import type { Domain } from '../domain/domain.ts';
import type { KnownAlias } from '../record/known-alias.ts';
import type { Visit } from '../record/visit.ts';
import { leadsBack } from './leads-back.ts';

/** What is asked of the store. */
export interface AliasStore {
  aliasOf(domain: Domain): KnownAlias | null;
  /** Answers how many were new; enters none of a registrable domain of which `mostKnown` are known already. */
  enterFound(domains: readonly Domain[], at: number, mostKnown: number): number;
  requestVisit(domains: readonly Domain[], at: number, why: string): unknown;
}

/** Who answers for every name below theirs can make up hosts without end, each of which redirects to the next. */
const MOST_IN_PASS = 10_000;
const MOST_OF_REGISTRABLE_DOMAIN = 50;

/**
 * Makes what is called in a pass with the visits that were recorded: it enters the hosts that they were redirected to. One that was
 * recorded to lead back is visited anew, once: of the two, one has been turned round.
 */
export function createAliasFollower(
  store: AliasStore,
  now: () => number,
): (visits: readonly Pick<Visit, 'domain' | 'aliasOf'>[]) => void {
  const revisited = new Set<Domain>();
  let found = 0;

  return (visits) => {
    const aliases = visits.flatMap(({ domain, aliasOf }) => (aliasOf === null ? [] : [{ domain, aliasOf }]));
    if (aliases.length === 0) return;
    const targets = aliases.map(({ aliasOf }) => aliasOf).slice(0, MOST_IN_PASS - found);
    found += store.enterFound(targets, now(), MOST_OF_REGISTRABLE_DOMAIN);
    const turned = aliases
      .filter(({ domain, aliasOf }) => leadsBack(domain, aliasOf, store.aliasOf, Number.NEGATIVE_INFINITY))
      .map(({ aliasOf }) => aliasOf)
      .filter((target) => !revisited.has(target));
    for (const target of turned) revisited.add(target);
    if (turned.length > 0) store.requestVisit(turned, now(), 'a host that it redirected to redirects to it');
  };
}
