import type { Domain } from '../domain/domain.ts';
import type { EpochMs } from '../time.ts';
import { type Hosting, UNKNOWN_HOSTING } from './hosting.ts';

/**
 * A signal by which a host asks not to be published. Each holds until the same place has been read again without it.
 *
 * - `robots`: a robots.txt group that names our user agent forbids the site or its config endpoint;
 * - `nodeinfo`: the metadata of the NodeInfo document asks for it;
 * - `config-header`, `discovery-header`, `nodeinfo-header`: `X-Robots-Tag` on the document of that route;
 * - `config-error-header` and so on: `X-Robots-Tag` on an error response of that route;
 * - `earlier`: a noindex whose signal is not recorded; it holds until a visit has read all documents that identify the host.
 */
export type NoindexSignal =
  | 'robots'
  | 'nodeinfo'
  | `${'config' | 'discovery' | 'nodeinfo'}-${'header' | 'error-header'}`
  | 'earlier';

/** Facts about a host, independent of its software. Null is unknown. */
export interface HostFacts {
  /** Whether the name has addresses of this family. */
  ipv4: boolean | null;
  ipv6: boolean | null;
  /** The address at which it answered. Never published. */
  address: string | null;
  hosting: Hosting;
  /** When the certificate last seen expires. */
  tlsExpires: EpochMs | null;
  /** Whether it asks not to be published. */
  noindex: boolean | null;
  /** The signals by which it asks; absent when it does not ask. */
  noindexBy?: readonly NoindexSignal[];
  /** The other host that an instance names as its canonical host: by a redirect of config, the NodeInfo link, or `app.url`. */
  canonicalHost: Domain | null;
}

export const UNKNOWN_HOST: Readonly<HostFacts> = {
  ipv4: null,
  ipv6: null,
  address: null,
  hosting: UNKNOWN_HOSTING,
  tlsExpires: null,
  noindex: null,
  canonicalHost: null,
};
