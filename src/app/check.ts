import { type CheckOptions, check } from '../check/check.ts';
import { clientViews } from '../check/clients/client-views.ts';
import type { Report } from '../check/report.ts';
import { RULES } from '../check/rules.ts';
import { type AddressGuard, createAddressGuard } from '../http/address-guard.ts';
import { NO_OPT_OUTS } from '../http/admit-host.ts';
import { createDnsQueries } from '../http/dns-queries.ts';
import { withHostsFile } from '../http/hosts-file.ts';
import type { HttpOptions } from '../http/visit-client.ts';
import { type Domain, hostOf, isLocal } from '../model/domain/domain.ts';
import { localAddresses } from '../model/domain/local-server.ts';
import type { Settings } from '../settings/schema.ts';
import { fetchRelease } from '../sources/release.ts';
import { VERSION } from '../version.ts';
import { createNetwork, httpOptionsOf, visitContextOf } from './network.ts';

export interface CheckDomainOptions extends CheckOptions {
  /** Changes the options of the HTTP client. */
  withHttp?: ((http: HttpOptions) => HttpOptions) | undefined;
  /** The newest release of the software; null: unknown. Default: read from `flags.releaseUrl`. */
  newestVersion?: string | null | undefined;
}

/** How long a check waits for the newest release. */
const RELEASE_MS = 5_000;

/**
 * Checks one server, with at most 40 requests in 60 seconds. Faults of the server are findings, never exceptions.
 *
 * @throws {CaFileError} when `network.caFile` cannot be used.
 * @throws {SelectionError} when `only` or `skip` names neither a rule nor an area.
 * @throws the reason of `signal` when that aborts.
 */
export async function checkDomain(
  settings: Settings,
  domain: Domain,
  { newestVersion, withHttp = (http) => http, ...options }: CheckDomainOptions = {},
): Promise<Report> {
  const http = withHttp(httpOptionsOf(settings, { now: Date.now, clock: () => performance.now() }));
  const { network } = settings;
  // Nothing is shared with another check, so that aborting one does not cancel the queries of another.
  const parts = {
    http: isLocal(domain) ? localHttpOptions(domain, http, network.allow) : http,
    context: visitContextOf(settings, { optOuts: http.optOuts ?? NO_OPT_OUTS }),
    dnsQueries: createDnsQueries({ servers: network.dnsServers, timeoutMs: network.dnsTimeoutMs }),
    now: Date.now,
    random: Math.random,
    newestVersion: newestVersion === undefined ? newestRelease(settings, options.signal) : newestVersion,
    rules: RULES,
    viewsOf: clientViews,
    tool: `Loopscout ${VERSION}`,
  };
  return check(domain, parts, options);
}

/** Refuses an address that too many checks have contacted. */
const OVER_LIMIT = { cidr: '', source: 'the limit of checks', what: 'contacted by too many checks' };

export interface VisitorCheckOptions extends Pick<CheckDomainOptions, 'newestVersion' | 'signal'> {
  /** Whether a host may be contacted; asked before every request. */
  mayContact: (url: URL) => boolean;
  /** Whether a public address may be connected to; asked for every address of every host, also when it is only resolved. */
  mayConnect: (address: string) => boolean;
  /** Replaces parts of the network in a test; the address guard stays. */
  network?: Partial<Pick<HttpOptions, 'resolver' | 'connector'>>;
}

/**
 * Checks a server for a visitor of the pages, with GET requests only. Connects to public addresses only, whatever `network.allow` says.
 *
 * @throws the reason of `signal` when that aborts.
 */
export function checkForVisitor(
  settings: Settings,
  domain: Domain,
  { mayContact, mayConnect, network, ...options }: VisitorCheckOptions,
): Promise<Report> {
  if (isLocal(domain)) throw new Error('a visitor cannot check a local server');
  const isPublic = createAddressGuard([]);
  const guard: AddressGuard = (address) => isPublic(address) ?? (mayConnect(address) ? null : OVER_LIMIT);
  return checkDomain(settings, domain, {
    ...options,
    getsOnly: true,
    withHttp: (http) => ({
      ...http,
      ...network,
      guard,
      optOuts: { covers: (url) => !mayContact(url) },
    }),
  });
}

/** The options of the HTTP client, with the addresses of the local server allowed and its host resolved without DNS. */
function localHttpOptions(domain: Domain, http: HttpOptions, allow: readonly string[]): HttpOptions {
  const host = hostOf(domain);
  const addresses = localAddresses(host);
  const blocks = addresses.map(({ address, family }) => `${address}/${family === 4 ? 32 : 128}`);
  return {
    ...http,
    guard: createAddressGuard([...allow, ...blocks]),
    resolver: withHostsFile(http.resolver, new Map([[host, addresses]])),
  };
}

async function newestRelease(settings: Settings, checkSignal: AbortSignal | undefined): Promise<string | null> {
  const { releaseUrl } = settings.flags;
  if (releaseUrl === null) return null;
  const { get } = createNetwork(settings, { now: Date.now, clock: () => performance.now() });
  const timeout = AbortSignal.timeout(RELEASE_MS);
  const signal = checkSignal === undefined ? timeout : AbortSignal.any([checkSignal, timeout]);
  const release = await fetchRelease({ url: releaseUrl, get, signal });
  return release.ok ? release.version : null;
}
