import type { OptOuts } from '../http/admit-host.ts';
import type { HostAddress } from '../http/resolver.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { CachedRobots, KnownAlias } from '../model/domain-record.ts';
import type { EpochMs } from '../model/time.ts';

/**
 * How robots.txt is obeyed. `standard`: a group that names our token applies to everything, the `*` group to everything except the config
 * endpoint, which Loops documents as public for this use. `strict`: both apply to everything. `off`: robots.txt is not read; only for
 * servers of the crawler's owner.
 */
export type RobotsMode = 'standard' | 'strict' | 'off';

/** Limits the contacts of visits with hosts that they lead to. */
export interface ThirdParties {
  /**
   * Counts the contact with a third-party host at these addresses, before a visit's first request to its site. False when a limit is reached:
   * the visit then ends with the reason `third-party-limit`. The limits prevent domains from directing one visit after another at somebody
   * else's host.
   */
  mayContact(url: URL, addresses: readonly HostAddress[], visit: { domain: Domain; isSubmission: boolean }): boolean;
}

export interface Aliases {
  /** The last recorded redirect target of a domain. */
  aliasOf(domain: Domain): KnownAlias | null;
}

/** Everything that a visit depends on besides its host and its client. Made once, when the visit begins. */
export interface VisitContext {
  /** The software id that a Loops server reports; compared with `===`. */
  softwareId: string;
  robots: RobotsMode;
  allowSuffixes: readonly string[];
  now: () => EpochMs;
  /** An opted-out host is not contacted and does not appear in the steps of the visit. */
  optOuts: OptOuts;
  thirdParties: ThirdParties;
  /** Whether a visitor of the pages requested the visit. */
  isSubmission: boolean;
  /** The robots.txt of an earlier visit. */
  cachedRobots: CachedRobots | null;
  /** The address at which the host answered an earlier visit. */
  knownAddress: string | null;
  aliases: Aliases;
}
