import { createAddressGuard } from '../http/address-guard.ts';
import { createOptOutGuard } from '../http/admit-host.ts';
import { type Connectivity, createConnectivity } from '../http/connectivity.ts';
import { createSourceHttp } from '../http/create-source-http.ts';
import { readHostsFile, withHostsFile } from '../http/hosts-file.ts';
import { cacheResolutions, createResolver } from '../http/resolver.ts';
import type { SourceHttp } from '../http/source-http.ts';
import { createTlsContext } from '../http/tls-context.ts';
import { createHttp, type HttpOptions } from '../http/visit-client.ts';
import { createIdentifier, type Identifier, type IdentifierOptions } from '../identify/identifier.ts';
import { userAgentOf } from '../service/about.ts';
import type { Settings } from '../settings/schema.ts';
import type { fetchRelease } from '../sources/release.ts';
import type { Store } from '../store/store.ts';

/** Pause before the one retry of a 5xx. */
const RETRY_PAUSE_MS = 250;

/** A GET outside visits, with the same guards. */
export type GuardedGet = Parameters<typeof fetchRelease>[0]['get'];

export interface NetworkParts {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Waits for a slot at the addresses of a third-party host. Undefined: no limit. */
  admitThirdParty?: HttpOptions['admitThirdParty'];
  /** Whether a host, with or without a port, has opted out; called before every request. Undefined: none has. */
  isOptedOut?: (host: string) => boolean;
  /** Whether a third-party host may be contacted now. Undefined: every host may. */
  mayContactHost?: IdentifierOptions['mayContactHost'] | undefined;
  /** Data of earlier visits. */
  history?: Pick<Store, 'cachedRobots' | 'aliasOf'>;
}

export interface Network {
  identifier: Identifier;
  connectivity: Connectivity;
  get: GuardedGet;
  /** The HTTP client of the sources. */
  sourceHttp: SourceHttp;
  /** Whether the DNS answers at all. */
  isOnline: () => Promise<boolean>;
}

/** The options of the HTTP client, with address guard and resolver. @throws {CaFileError} when `network.caFile` cannot be used. */
export function httpOptionsOf(
  settings: Pick<Settings, 'network' | 'contact'>,
  { now, clock }: Pick<NetworkParts, 'now' | 'clock'>,
): HttpOptions {
  const { network } = settings;
  const guard = createAddressGuard(network.allow);
  const dns = createResolver({ servers: network.dnsServers, timeoutMs: network.dnsTimeoutMs });
  const resolver = withHostsFile(
    cacheResolutions(dns, { concurrency: network.dnsConcurrency, clock }),
    readHostsFile(),
  );
  return {
    secureContext: createTlsContext(network.caFile),
    guard,
    resolver,
    clock,
    userAgent: userAgentOf(settings),
    maxBodyBytes: network.maxBodyBytes,
    now,
    ...network.timeouts,
  };
}

/** The options of a visit. */
export function identifyOptionsOf(
  settings: Pick<Settings, 'domains' | 'softwareId' | 'robots'>,
): Pick<IdentifierOptions, 'allowSuffixes' | 'softwareId' | 'robots' | 'pause'> {
  return {
    allowSuffixes: settings.domains.allowSuffixes,
    softwareId: settings.softwareId,
    robots: settings.robots,
    pause: () => new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS)),
  };
}

/**
 * Creates everything that contacts other servers.
 *
 * @throws {CaFileError} when `network.caFile` cannot be used.
 */
export function createNetwork(settings: Settings, parts: NetworkParts): Network {
  const { now, clock, admitThirdParty, history } = parts;
  const isOptedOut = createOptOutGuard(parts.isOptedOut ?? (() => false));
  const http = { ...httpOptionsOf(settings, { now, clock }), isOptedOut };
  const { resolver, guard } = http;
  const openClient = createHttp({ ...http, ...(admitThirdParty === undefined ? {} : { admitThirdParty }) });
  const identifier = createIdentifier({
    resolver,
    guard,
    openClient,
    clock,
    now,
    isOptedOut,
    ...identifyOptionsOf(settings),
    ...(parts.mayContactHost === undefined ? {} : { mayContactHost: parts.mayContactHost }),
    ...(history === undefined ? {} : { cachedRobots: history.cachedRobots, aliasOf: history.aliasOf }),
  });
  const get: GuardedGet = async (url, signal) => {
    const resolution = await resolver.resolve(url.hostname);
    if (!resolution.ok) return { ok: false, why: resolution.failure };
    const { addresses } = resolution;
    if (addresses.some(({ address }) => guard(address) !== null)) return { ok: false, why: 'forbidden-address' };
    const client = openClient(url.hostname, addresses);
    const onAbort = () => client.close();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await client.get(url, { accept: 'application/json' });
      if (result.kind === 'failure') return { ok: false, why: result.failure };
      if (result.status !== 200) return { ok: false, why: `status ${result.status}` };
      return { ok: true, body: result.body };
    } finally {
      signal.removeEventListener('abort', onAbort);
      client.close();
    }
  };
  return {
    identifier,
    connectivity: createConnectivity({ resolver, clock }),
    get,
    sourceHttp: createSourceHttp({ ...http, robots: settings.robots }),
    isOnline: () => resolver.isAnswering(),
  };
}
