import { type Domain, hostOf } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import type { KnownAlias } from '../model/domain-record.ts';
import type { Visit } from '../model/visit.ts';
import type { Answer } from './ask.ts';

/** The part of the store that following aliases needs. */
interface AliasStore {
  aliasOf(domain: Domain): KnownAlias | null;
  /** Returns the number of new domains; skips a registrable domain that already has `maxKnown` known domains. */
  enterFound(domains: readonly Domain[], at: number, maxKnown: number): number;
  requestVisit(domains: readonly Domain[], at: number, request: { why: string }): unknown;
}

/** A server that answers for every subdomain can invent endless hosts that redirect to each other. */
const MAX_PER_PASS = 10_000;
const MAX_PER_REGISTRABLE_DOMAIN = 50;

/**
 * Creates the function that a pass calls with its recorded visits. The function adds each redirect target to the known domains. A target
 * that was recorded as redirecting back is visited again, once, because one of the two redirects must have changed.
 */
export function createAliasFollower(
  store: AliasStore,
  now: () => number,
): (visits: readonly Pick<Visit, 'domain' | 'aliasOf'>[]) => void {
  const revisited = new Set<Domain>();
  let addedCount = 0;

  return (visits) => {
    const aliases = visits.flatMap(({ domain, aliasOf }) => (aliasOf === null ? [] : [{ domain, aliasOf }]));
    if (aliases.length === 0) return;
    const targets = aliases.map(({ aliasOf }) => aliasOf).slice(0, MAX_PER_PASS - addedCount);
    addedCount += store.enterFound(targets, now(), MAX_PER_REGISTRABLE_DOMAIN);
    const changed = aliases
      .filter(({ domain, aliasOf }) => isRedirectCycle(domain, aliasOf, store.aliasOf, Number.NEGATIVE_INFINITY))
      .map(({ aliasOf }) => aliasOf)
      .filter((target) => !revisited.has(target));
    for (const target of changed) revisited.add(target);
    if (changed.length > 0)
      store.requestVisit(changed, now(), {
        why: 'another host redirects to it, and it was last seen redirecting back',
      });
  };
}

/** Longer cycles are not recognised. */
const MAX_HOPS = 5;

/**
 * Whether the redirect from `domain` to `target` leads back to `domain`, directly or through other hosts.
 *
 * @param since ignores redirects recorded before this time, in milliseconds since the epoch.
 */
export function isRedirectCycle(
  domain: Domain,
  target: Domain,
  aliasOf: (domain: Domain) => KnownAlias | null,
  since: number,
): boolean {
  let host = target;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const known = aliasOf(host);
    if (known === null || known.at < since) return false;
    if (known.to === domain) return true;
    host = known.to;
  }
  return false;
}

interface CanonicalHostInput {
  domain: Domain;
  /** Outcome of the config probe. */
  config: Answer;
  /** The host that serves the NodeInfo document. */
  nodeInfoHost: string | null;
  /** `app.url` of the config. */
  appUrl: string | null;
  allowSuffixes: readonly string[];
}

/**
 * The other host that an instance names as its main one: the host of its NodeInfo, else the target of its config redirect, else its
 * `app.url`. Null when it names only itself. If two instances name each other, only one is listed.
 */
export function findCanonicalHost({
  domain,
  config,
  nodeInfoHost,
  appUrl,
  allowSuffixes,
}: CanonicalHostInput): Domain | null {
  // The suffix of the visited domain is always accepted, even if it is on no list.
  const ownSuffix = hostOf(domain).split('.').at(-1) ?? '';
  for (const text of [nodeInfoHost, config.kind === 'redirected' ? config.to : null, appUrl]) {
    if (text === null) continue;
    const named = parseDomain(text, { allowSuffixes: [...allowSuffixes, ownSuffix] });
    if (named.ok && named.domain !== domain) return named.domain;
  }
  return null;
}
