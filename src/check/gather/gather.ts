import { connectTcp } from '../../http/connect-tcp.ts';
import type { DnsQuestions } from '../../http/dns-questions.ts';
import type { HostAddress } from '../../http/resolver.ts';
import { createHttp, type HttpOptions } from '../../http/visit-client.ts';
import { createIdentifier, type Identifier, type IdentifierOptions } from '../../identify/identifier.ts';
import { type Domain, hostOf, portOf } from '../../model/domain/domain.ts';
import type { Visit } from '../../model/visit.ts';
import type { Evidence, RequestName } from '../evidence.ts';
import { whyOffline } from '../reachability.ts';
import { createAsk } from './ask.ts';
import type { Budget } from './budget.ts';
import { gatherDns, gatherOwn, gatherTls, hasRoute } from './network.ts';
import { sendRequests } from './send-requests.ts';

/** What a check is made with. They are its own: when it is given up, so are all questions to its resolvers. */
export interface GatherParts {
  http: HttpOptions;
  identify: Omit<IdentifierOptions, 'cachedRobots' | 'aliasOf' | 'resolver' | 'guard' | 'openClient' | 'now' | 'clock'>;
  questions: DnsQuestions;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Draws names that nobody has. */
  random: () => number;
  /** The newest release of the software; it may come while the check runs. Null: unknown. */
  newestVersion: string | null | Promise<string | null>;
  /** Whether this machine has a route to the public addresses of a family; default: it looks. */
  hasRoute?: (family: 4 | 6) => Promise<boolean>;
}

/** One request may take no longer than this in all, in milliseconds: a check has many to make. */
const REQUEST_MS = 15_000;

/**
 * Collects the evidence on a server: identifies it as a crawl does, examines its names and its TLS meanwhile, and then sends the wanted
 * requests of the table. What the server does is never an exception.
 */
export async function gather(
  domain: Domain,
  parts: GatherParts,
  budget: Budget,
  wanted: ReadonlySet<RequestName>,
): Promise<Evidence> {
  const { questions, now, newestVersion } = parts;
  const { guard, resolver, clock, connector = connectTcp, secureContext, connectMs } = parts.http;
  const http: HttpOptions = { ...parts.http, mayRequest: budget.spend };
  const identifier = createIdentifier({ ...parts.identify, resolver, guard, clock, now, openClient: createHttp(http) });
  const onAbort = () => {
    identifier.cancelAll();
    questions.cancel();
  };
  budget.signal.addEventListener('abort', onAbort, { once: true });
  const at = now();
  const host = hostOf(domain);
  const look = { host, port: portOf(domain), secureContext, connector, connectMs, now, signal: budget.signal };
  const identified = identifyAt(domain, identifier, (addresses) => gatherTls(addresses, look));
  const [dns, { visit, addresses, beside: tls }] = await Promise.all([gatherDns(host, questions, guard), identified]);

  const own = await gatherOwn(dns, tls, { resolver, hasRoute: parts.hasRoute ?? hasRoute });
  const offline = whyOffline({ own, tls, dns });
  if (offline !== null) budget.stop(offline);
  if (visit.reason === 'rate-limited') budget.stop('the server asked for fewer requests (429)');
  const openClient = createHttp({ ...http, visitMs: Math.min(http.visitMs, REQUEST_MS) });
  const ask = createAsk({ openClient, domain, addresses, budget });
  const randomName = () => `loopscout-check-${Math.floor(parts.random() * 2 ** 48).toString(36)}`;
  const answers = await sendRequests({ domain, addresses, visit, randomName }, tls, wanted, ask);
  const { softwareId } = parts.identify;
  const cutShort = offline ?? budget.cutShort;
  return { domain, at, softwareId, visit, own, dns, tls, answers, newestVersion: await newestVersion, cutShort };
}

/** A visit, the addresses it went to, and what `look` found of them meanwhile; none of an address that is forbidden. */
async function identifyAt<Found>(
  domain: Domain,
  identifier: Identifier,
  look: (addresses: readonly HostAddress[]) => Promise<Found>,
): Promise<{ visit: Visit; addresses: readonly HostAddress[]; beside: Found | null }> {
  const resolved = await identifier.resolve(domain);
  if ('verdict' in resolved) return { visit: resolved, addresses: [], beside: null };
  const { addresses } = resolved;
  const [visit, beside] = await Promise.all([identifier.identify(resolved), look(addresses)]);
  return { visit, addresses, beside };
}
