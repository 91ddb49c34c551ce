import { createDispatchingIdentifier } from '../crawl/workers/dispatching-identifier.ts';
import { createEngineVisitors, type EngineVisitorsOptions } from '../crawl/workers/engine-visitors.ts';
import type { Visitors } from '../crawl/workers/visit-task.ts';
import { type AddressGuard, createAddressGuard } from '../http/address-guard.ts';
import { createOptOutGuard } from '../http/admit-host.ts';
import { connectorFrom } from '../http/connect-tcp.ts';
import { type Connectivity, createConnectivity } from '../http/connectivity.ts';
import { createSourceHttp } from '../http/create-source-http.ts';
import { createGuardedGet, type GuardedGet } from '../http/guarded-get.ts';
import { readHostsFile, withHostsFile } from '../http/hosts-file.ts';
import { cacheResolutions, createResolver } from '../http/resolver.ts';
import type { SourceHttp } from '../http/source-http.ts';
import { createTlsContext } from '../http/tls-context.ts';
import { createHttp, type HttpOptions } from '../http/visit-client.ts';
import { pauseBeforeRetry } from '../identify/ask.ts';
import { createIdentifier, type Identifier, type IdentifierOptions } from '../identify/identifier.ts';
import { userAgentOf } from '../service/about.ts';
import type { Settings } from '../settings/schema.ts';
import type { Store } from '../store/store.ts';
import { VERSION } from '../version.ts';

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
  /** Called when a worker was lost, and when the job engine does not respond. */
  onVisitorTrouble?: (message: string) => void;
  /** Stores what is new about the workers, see `Store.recordWorkers`. */
  onWorkers?: EngineVisitorsOptions['onWorkers'];
  /** The job engine of the workers that run the visits. Undefined or null: none. */
  engineUrl?: string | null;
  /** Data of earlier visits. */
  history?: Pick<Store, 'cachedRobots' | 'aliasOf'>;
}

export interface Network {
  identifier: Identifier;
  connectivity: Connectivity;
  get: GuardedGet;
  /** The HTTP client of the sources. */
  sourceHttp: SourceHttp;
  guard: AddressGuard;
  /** Whether the DNS servers answer, and can resolve names. */
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
    connector: connectorFrom(network.localAddress),
    now,
    ...network.timeouts,
  };
}

/** The options of a visit. */
export function identifyOptionsOf(
  settings: Pick<Settings, 'domains' | 'softwareId' | 'robots'>,
): Pick<IdentifierOptions, 'allowSuffixes' | 'softwareId' | 'robots' | 'pause'> {
  return { ...visitOptionsOf(settings), pause: pauseBeforeRetry };
}

function visitOptionsOf({ domains, softwareId, robots }: Pick<Settings, 'domains' | 'softwareId' | 'robots'>) {
  return { allowSuffixes: domains.allowSuffixes, softwareId, robots };
}

/** Upper bound of the waits of a visit that do not count towards its time limit, such as a Crawl-delay. */
const MAX_WAITS_MS = 60_000;

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
  const visits = {
    ...{ resolver, guard, now, isOptedOut },
    ...(parts.mayContactHost === undefined ? {} : { mayContactHost: parts.mayContactHost }),
    ...(history === undefined ? {} : { cachedRobots: history.cachedRobots, aliasOf: history.aliasOf }),
  };
  const local = createIdentifier({ ...visits, openClient, clock, ...identifyOptionsOf(settings) });
  const { engineUrl: url = null, onVisitorTrouble: onTrouble = () => undefined, onWorkers = () => undefined } = parts;
  const budgetMs = settings.network.timeouts.visitMs + MAX_WAITS_MS;
  const options = { ...visitOptionsOf(settings), userAgent: http.userAgent };
  const dispatchTo = (visitors: Visitors) =>
    createDispatchingIdentifier({
      ...{ ...visits, local, visitors, options },
      ...(admitThirdParty === undefined ? {} : { admitThirdParty }),
    });
  const engine = { version: VERSION, budgetMs, onTrouble, onWorkers, now, clock };
  return {
    identifier: url === null ? local : dispatchTo(createEngineVisitors({ url, ...engine })),
    guard,
    connectivity: createConnectivity({ resolver, clock }),
    get: createGuardedGet(openClient, http),
    sourceHttp: createSourceHttp({ ...http, robots: settings.robots }),
    isOnline: async () => (await resolver.isAnswering()) && resolver.canResolve(),
  };
}
