import type { Domain } from '../domain/domain.ts';
import type { NoindexWay } from './noindex-way.ts';

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
  pointsTo: Domain | null;
}

export const UNKNOWN_HOST: Readonly<HostFacts> = {
  ipv4: null,
  ipv6: null,
  tlsExpires: null,
  noindex: null,
  pointsTo: null,
};
