import type { Domain } from '../domain/domain.ts';

/**
 * A way in which a host asks not to be published. Each holds until the same was read again without it:
 *
 * - `robots`: its robots.txt closes it to us by name;
 * - `nodeinfo`: the metadata of its NodeInfo document;
 * - `config-header`, `discovery-header`, `nodeinfo-header`: `X-Robots-Tag` with the document of that route;
 * - `config-error-header` and so on: the same with what that route answers instead of a document;
 * - `earlier`: it is not known in which, as it asked before that was kept; until a visit read all that tells what the host is.
 */
export type NoindexWay =
  | 'robots'
  | 'nodeinfo'
  | `${'config' | 'discovery' | 'nodeinfo'}-${'header' | 'error-header'}`
  | 'earlier';

/** What is known of a host apart from what it runs. Null is unknown. Times are milliseconds since the epoch. */
export interface HostFacts {
  /** Whether its name has addresses of the family. */
  ipv4: boolean | null;
  ipv6: boolean | null;
  /** When the certificate it was last met with ends. */
  tlsExpires: number | null;
  /** Whether it asks not to be published: by `X-Robots-Tag: noindex`, a robots.txt that closes it to us by name, or the metadata of NodeInfo. */
  noindex: boolean | null;
  /** The ways in which it asks that; absent where it does not. */
  noindexBy?: readonly NoindexWay[];
  /** Another host that it names as the one it speaks for: where config redirects, where NodeInfo is, or `app.url`. */
  canonicalHost: Domain | null;
}

export const UNKNOWN_HOST: Readonly<HostFacts> = {
  ipv4: null,
  ipv6: null,
  tlsExpires: null,
  noindex: null,
  canonicalHost: null,
};
