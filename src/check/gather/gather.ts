import { connectTcp } from '../../http/connect-tcp.ts';
import type { DnsQueries } from '../../http/dns-queries.ts';
import type { HostAddress } from '../../http/resolver.ts';
import { createHttp, type HttpOptions } from '../../http/visit-client.ts';
import { createIdentifier, type Identifier } from '../../identify/identifier.ts';
import type { VisitContext } from '../../identify/visit-context.ts';
import { type Domain, hostOf, isLocal, portOf } from '../../model/domain/domain.ts';
import type { EpochMs } from '../../model/time.ts';
import type { Visit } from '../../model/visit.ts';
import type { Evidence, RequestName } from '../evidence.ts';
import { whyOffline } from '../reachability.ts';
import type { Budget } from './budget.ts';
import { gatherDns, gatherLocalNetwork, gatherTls, hasRoute, localDns } from './network.ts';
import { createRequestSender, sendRequests } from './send-requests.ts';

/** The dependencies of one check. Checks must not share them: aborting one would cancel the DNS queries of the others. */
export interface GatherParts {
  http: HttpOptions;
  context: VisitContext;
  dnsQueries: DnsQueries;
  now: () => EpochMs;
  /** Returns a number in [0, 1); used to make names that nobody uses. */
  random: () => number;
  /** The newest release of the software; null when unknown. A promise may settle during the check. */
  newestVersion: string | null | Promise<string | null>;
  /** Whether requests with methods other than GET are left out. Default: false. */
  getsOnly?: boolean;
  /** Whether this machine has a route to public addresses of a family; default: tests it. */
  hasRoute?: (family: 4 | 6) => Promise<boolean>;
}

/** Time limit of one request; shorter than that of a visit, because a check sends many requests. */
const REQUEST_MS = 15_000;

/**
 * Collects the evidence on a server. Identifies it as a crawl does, examines its DNS records and its TLS at the same time, and then sends
 * the wanted requests of `REQUESTS`. Nothing that the server does causes an exception.
 */
export async function gather(
  domain: Domain,
  parts: GatherParts,
  budget: Budget,
  wanted: ReadonlySet<RequestName>,
): Promise<Evidence> {
  const { dnsQueries, context, now, newestVersion } = parts;
  const { guard, resolver, clock, connector = connectTcp, secureContext, connectMs } = parts.http;
  const http: HttpOptions = { ...parts.http, mayRequest: budget.spend };
  const identifier = createIdentifier({ resolver, guard, clock, now, openClient: createHttp(http) });
  const onAbort = () => {
    identifier.cancelAll();
    dnsQueries.cancel();
  };
  budget.signal.addEventListener('abort', onAbort, { once: true });
  const at = now();
  const host = hostOf(domain);
  const tlsOptions = { host, port: portOf(domain), secureContext, connector, connectMs, now, signal: budget.signal };
  const inspect = isLocal(domain)
    ? async () => null
    : (addresses: readonly HostAddress[]) => gatherTls(addresses, tlsOptions);
  const identified = identifyAndInspect(domain, identifier, context, inspect);
  const [dns, { visit, addresses, inspected: tls }] = await Promise.all([
    isLocal(domain) ? localDns(host) : gatherDns(host, dnsQueries, guard),
    identified,
  ]);

  const localNetwork = await gatherLocalNetwork(dns, tls, { resolver, hasRoute: parts.hasRoute ?? hasRoute });
  const offline = whyOffline({ localNetwork, tls, dns });
  if (offline !== null) budget.stop(offline);
  if (visit.reason === 'rate-limited') budget.stop('the server asked for fewer requests (429)');
  const openClient = createHttp({ ...http, visitMs: Math.min(http.visitMs, REQUEST_MS) });
  const send = createRequestSender({ openClient, domain, addresses, budget, getsOnly: parts.getsOnly === true });
  const randomName = () => `loopscout-check-${Math.floor(parts.random() * 2 ** 48).toString(36)}`;
  const answers = await sendRequests({ domain, addresses, visit, randomName }, tls, wanted, send);
  const incompleteReason = offline ?? budget.incompleteReason;
  return {
    domain,
    at,
    softwareId: context.softwareId,
    visit,
    localNetwork,
    dns,
    tls,
    answers,
    newestVersion: await newestVersion,
    incompleteReason,
  };
}

/** Identifies the domain, and runs `inspect` on its addresses at the same time. Without a permitted address, `inspected` is null. */
async function identifyAndInspect<Found>(
  domain: Domain,
  identifier: Identifier,
  context: VisitContext,
  inspect: (addresses: readonly HostAddress[]) => Promise<Found>,
): Promise<{ visit: Visit; addresses: readonly HostAddress[]; inspected: Found | null }> {
  // Without a permitted address, this is already the result of the visit.
  const resolved = await identifier.resolve(domain);
  if ('verdict' in resolved) return { visit: resolved, addresses: [], inspected: null };
  const { addresses } = resolved;
  const [visit, inspected] = await Promise.all([identifier.identify(resolved, context), inspect(addresses)]);
  return { visit, addresses, inspected };
}
