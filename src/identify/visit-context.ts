import type { OptOutGuard } from '../http/admit-host.ts';
import type { HostAddress } from '../http/resolver.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { CachedRobots, KnownAlias } from '../model/domain-record.ts';

/**
 * How robots.txt is obeyed. `standard`: a group that names our token applies to everything, the `*` group to everything except the config
 * endpoint, which Loops documents as public for this use. `strict`: both apply to everything. `off`: robots.txt is not read; only for
 * servers of the crawler's owner.
 */
export type RobotsMode = 'standard' | 'strict' | 'off';

/** Everything that a visit depends on besides its host and its client. Made once, when the visit begins. */
export interface VisitContext {
  /** The software id that a Loops server reports; compared with `===`. */
  softwareId: string;
  robots: RobotsMode;
  allowSuffixes: readonly string[];
  /** Milliseconds since the epoch. */
  now: () => number;
  /** An opted-out host is not contacted and does not appear in the steps of the visit. */
  isOptedOut: OptOutGuard;
  /**
   * Whether the visit may contact a third-party host at these addresses now; if not, it ends with the reason `third-party-limit`. The limit
   * prevents domains from directing one visit after another at somebody else's host. Called before a visit's first request to a site.
   */
  mayContactHost: (url: URL, addresses: readonly HostAddress[]) => boolean;
  /** The robots.txt of an earlier visit. */
  cachedRobots: CachedRobots | null;
  /** The last recorded redirect target of a domain. */
  aliasOf: (domain: Domain) => KnownAlias | null;
}
