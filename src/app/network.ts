import { createWorkerIdentifier } from '../crawl/workers/worker-identifier.ts';
import { WorkerVisits, type WorkerVisitsOptions } from '../crawl/workers/worker-visits.ts';
import { type AddressGuard, createAddressGuard } from '../http/address-guard.ts';
import { NO_OPT_OUTS } from '../http/admit-host.ts';
import { connectorFrom } from '../http/connect-tcp.ts';
import { type Connectivity, createConnectivity } from '../http/connectivity.ts';
import { createSourceHttp } from '../http/create-source-http.ts';
import { createGuardedGet, type GuardedGet } from '../http/guarded-get.ts';
import { readHostsFile, withHostsFile } from '../http/hosts-file.ts';
import { cacheResolutions, createResolver } from '../http/resolver.ts';
import type { SourceHttp } from '../http/source-http.ts';
import { createTlsContext } from '../http/tls-context.ts';
import { createHttp, type HttpOptions } from '../http/visit-client.ts';
import { createIdentifier, type Identifier, type Locate } from '../identify/identifier.ts';
import type { VisitContext } from '../identify/visit-context.ts';
import { type Clock, type EpochMs, MINUTE_MS } from '../model/time.ts';
import { userAgentOf } from '../service/about.ts';
import type { Settings } from '../settings/schema.ts';
import { VERSION } from '../version.ts';

export interface NetworkParts {
  now: () => EpochMs;
  clock: Clock;
  /** Default: those of the settings, for which no host has opted out and third-party hosts have no limit. */
  http?: HttpOptions;
  /** Default: nothing is known. */
  locate?: Locate | undefined;
  /** Warned when a worker was lost, and when the job engine does not respond. */
  log?: WorkerVisitsOptions['log'];
  /** Stores what is new about the workers. */
  store?: WorkerVisitsOptions['store'];
  /** The job engine of the workers that run the visits. Undefined or null: none. */
  engineUrl?: string | null;
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

/** A visit by the settings. Without further parts: a single visit, without a store, of which no host has opted out or reached a limit. */
export function visitContextOf(
  {
    domains,
    softwareId,
    robots,
  }: Pick<Settings, 'softwareId' | 'robots'> & { domains: Pick<Settings['domains'], 'allowSuffixes'> },
  parts: Partial<VisitContext> = {},
): VisitContext {
  return {
    softwareId,
    robots,
    allowSuffixes: domains.allowSuffixes,
    now: Date.now,
    optOuts: NO_OPT_OUTS,
    thirdParties: { mayContact: () => true },
    isSubmission: false,
    cachedRobots: null,
    knownAddress: null,
    aliases: { aliasOf: () => null },
    ...parts,
  };
}

/** Upper bound of the waits of a visit that do not count towards its time limit, such as a Crawl-delay. */
const MAX_WAITS_MS = MINUTE_MS;

/**
 * Creates everything that contacts other servers.
 *
 * @throws {CaFileError} when `network.caFile` cannot be used.
 */
export function createNetwork(settings: Settings, parts: NetworkParts): Network {
  const { now, clock, http = httpOptionsOf(settings, { now, clock }) } = parts;
  const { resolver, guard, userAgent } = http;
  const openClient = createHttp(http);
  const { locate } = parts;
  const local = createIdentifier({ resolver, guard, openClient, locate, now, clock });
  const { engineUrl: url = null, log = { warn: () => undefined }, store = { recordWorkers: () => undefined } } = parts;
  const budgetMs = settings.network.timeouts.visitMs + MAX_WAITS_MS;
  const engine = { version: VERSION, userAgent, budgetMs, log, store, now };
  return {
    identifier: url === null ? local : createWorkerIdentifier(local, new WorkerVisits({ url, ...engine })),
    guard,
    connectivity: createConnectivity({ resolver, clock }),
    get: createGuardedGet(openClient, http),
    sourceHttp: createSourceHttp({ ...http, robots: settings.robots }),
    isOnline: async () => (await resolver.isAnswering()) && resolver.canResolve(),
  };
}
