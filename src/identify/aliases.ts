import { type Domain, hostOf } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import type { Visit } from '../model/visit.ts';
import type { Answer } from './ask.ts';
import type { Aliases } from './visit-context.ts';

/** The part of the store that following aliases needs. */
interface AliasStore extends Aliases {
  /** Returns the number of new domains; skips a registrable domain that already has `maxKnown` known domains. */
  enterFound(domains: readonly Domain[], at: number, maxKnown: number): number;
  requestVisit(domains: readonly Domain[], at: number, request: { why: string }): unknown;
}

/** A server that answers for every subdomain can invent endless hosts that redirect to each other. */
const MAX_PER_PASS = 10_000;
const MAX_PER_REGISTRABLE_DOMAIN = 50;

/**
 * Enters the redirect targets of the visits of a pass. A target that was recorded as redirecting back is visited again, once, because one of
 * the two redirects must have changed.
 */
export class AliasFollower {
  readonly #store: AliasStore;
  readonly #now: () => number;
  readonly #revisited = new Set<Domain>();
  #entered = 0;

  constructor(store: AliasStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** @param visits that were recorded. */
  follow(visits: readonly Pick<Visit, 'domain' | 'aliasOf'>[]): void {
    const aliases = visits.flatMap(({ domain, aliasOf }) => (aliasOf === null ? [] : [{ domain, aliasOf }]));
    if (aliases.length === 0) return;
    const targets = aliases.map(({ aliasOf }) => aliasOf).slice(0, MAX_PER_PASS - this.#entered);
    this.#entered += this.#store.enterFound(targets, this.#now(), MAX_PER_REGISTRABLE_DOMAIN);
    const changed = aliases
      .filter(({ domain, aliasOf }) => isRedirectCycle(domain, aliasOf, this.#store, Number.NEGATIVE_INFINITY))
      .map(({ aliasOf }) => aliasOf)
      .filter((target) => !this.#revisited.has(target));
    for (const target of changed) this.#revisited.add(target);
    if (changed.length > 0)
      this.#store.requestVisit(changed, this.#now(), {
        why: 'another host redirects to it, and it was last seen redirecting back',
      });
  }
}

/** Longer cycles are not recognised. */
const MAX_HOPS = 5;

/**
 * Whether the redirect from `domain` to `target` leads back to `domain`, directly or through other hosts.
 *
 * @param since ignores redirects recorded before this time.
 */
export function isRedirectCycle(domain: Domain, target: Domain, aliases: Aliases, since: number): boolean {
  let host = target;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const known = aliases.aliasOf(host);
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
