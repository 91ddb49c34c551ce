import { type Domain, hostOf } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import type { KnownAlias } from '../model/domain-record.ts';
import { REDACTED_NAME } from '../model/opt-outs/opt-out-names.ts';
import type { Visit } from '../model/visit.ts';
import type { Answer } from './ask.ts';

/** What is asked of the store. */
interface AliasStore {
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
      .filter(({ domain, aliasOf }) => isRedirectCycle(domain, aliasOf, store.aliasOf, Number.NEGATIVE_INFINITY))
      .map(({ aliasOf }) => aliasOf)
      .filter((target) => !revisited.has(target));
    for (const target of turned) revisited.add(target);
    if (turned.length > 0) store.requestVisit(turned, now(), 'a host that it redirected to redirects to it');
  };
}

/** A longer way round is not recognised. */
const MOST_HOPS = 5;

/**
 * Whether a host that `domain` redirects to redirects back to it, by itself or by way of others.
 *
 * @param since what was found before is not believed, milliseconds since the epoch.
 */
export function isRedirectCycle(
  domain: Domain,
  target: Domain,
  aliasOf: (domain: Domain) => KnownAlias | null,
  since: number,
): boolean {
  let host = target;
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    const known = aliasOf(host);
    if (known === null || known.at < since) return false;
    if (known.to === domain) return true;
    host = known.to;
  }
  return false;
}

interface Pointers {
  domain: Domain;
  /** What the config probe came to. */
  config: Answer;
  /** The host that the NodeInfo document is on. */
  nodeInfoOn: string | null;
  /** `app.url` as config has it. */
  appUrl: string | null;
  allowSuffixes: readonly string[];
}

/**
 * The other host that an instance names as the one it speaks for: where its config redirects, else where its NodeInfo is,
 * else its `app.url`. Null when it names none but itself. Of two instances that name each other, one is listed.
 */
export function findCanonicalHost({ domain, config, nodeInfoOn, appUrl, allowSuffixes }: Pointers): Domain | null {
  const own = hostOf(domain).split('.').at(-1) ?? '';
  for (const text of [config.kind === 'redirected' ? config.to : null, nodeInfoOn, appUrl]) {
    if (text === null) continue;
    const named = parseDomain(text, { allowSuffixes: [...allowSuffixes, own, REDACTED_NAME] });
    if (named.ok && named.domain !== domain) return named.domain;
  }
  return null;
}
