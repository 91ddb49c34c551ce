import { createAddressGuard } from '../../http/address-guard.ts';
import { connectorFrom } from '../../http/connect-tcp.ts';
import { createTlsContext } from '../../http/tls-context.ts';
import { createHttp, type OpenVisitClient, type VisitClient } from '../../http/visit-client.ts';
import { pauseBeforeRetry } from '../../identify/ask.ts';
import { identify } from '../../identify/identify.ts';
import { createVisitBuilder } from '../../identify/visit-builder.ts';
import { hostOf } from '../../model/domain/domain.ts';
import type { Exchange, HostGrant, VisitPart, VisitResult, VisitTask } from './visit-task.ts';

/** The network settings of a worker. */
export interface VisitorNetwork {
  /** CIDR blocks exempt from the address guard. */
  allow: readonly string[];
  caFile: string | null;
  localAddress: string | null;
  timeouts: { connectMs: number; responseMs: number; visitMs: number };
  maxBodyBytes: number;
}

/** Runs one visit; never rejects. @param isInTime whether the visit may still send requests: called before each. */
export type CarryOut = (task: VisitTask, isInTime: () => boolean) => Promise<VisitResult>;

/**
 * Creates the function that runs the visits of a worker, which has no store and resolves no names.
 *
 * @param clock monotonic, in milliseconds.
 * @throws {CaFileError}
 */
export function createVisitor(network: VisitorNetwork, clock: () => number): CarryOut {
  const now = Date.now;
  const resolve = () => Promise.reject(new Error('a worker resolves no names'));
  const http = {
    ...{ clock, now, ...network.timeouts, maxBodyBytes: network.maxBodyBytes },
    secureContext: createTlsContext(network.caFile),
    guard: createAddressGuard(network.allow),
    connector: connectorFrom(network.localAddress),
    resolver: { resolve, isAnswering: resolve, canResolve: resolve, cancel: () => undefined },
  };
  let opener: { userAgent: string; open: OpenVisitClient } | null = null;
  const openerFor = (userAgent: string): OpenVisitClient => {
    if (opener?.userAgent !== userAgent) opener = { userAgent, open: createHttp({ ...http, userAgent }) };
    return opener.open;
  };

  return async (task, isInTime) => {
    const { domain, earlier, options, cachedRobots } = task;
    const hosts = new Map(task.hosts);
    const pinned = new Map(task.hosts.map(([name, grant]) => [name, addressesOf(grant)]));
    const earlierUse = { ms: 0, bytes: 0 };
    for (const { result } of earlier.exchanges) {
      earlierUse.ms += result.ms;
      earlierUse.bytes += result.bytes;
    }
    const builder = createVisitBuilder(domain, now, clock);
    builder.steps.push(...task.steps);
    Object.assign(builder.host, task.host);
    builder.begin();
    const client = openerFor(options.userAgent)(hostOf(domain), pinned.get(hostOf(domain)) ?? [], {
      pinned,
      ...earlierUse,
    });
    const limited = createLimitedClient(client, { ...task, hosts }, isInTime);
    try {
      const visit = await identify(builder, limited, {
        ...options,
        now,
        cachedRobots,
        pause: async () => (limited.isRepeating() ? undefined : await pauseBeforeRetry()),
        isOptedOut: ({ hostname }) => hosts.get(nameOf(hostname))?.kind === 'refused',
      });
      return { kind: 'visited', visit: { ...visit, durationMs: visit.durationMs + Math.round(earlierUse.ms) } };
    } catch (error) {
      if (error instanceof HostNeeded) return { kind: 'needs', url: error.url, part: limited.part() };
      if (error instanceof DeadlinePassed) return { kind: 'expired' };
      return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    } finally {
      client.close();
    }
  };
}

class HostNeeded extends Error {
  readonly url: string;

  constructor(url: URL) {
    super(url.href);
    this.url = url.href;
  }
}

class DeadlinePassed extends Error {}

interface LimitedClient extends VisitClient {
  /** Whether the results of the next requests are known from the earlier part. */
  isRepeating(): boolean;
  /** All requests so far. */
  part(): VisitPart;
}

/**
 * A client that contacts only the hosts of the task. A continued visit runs again from its start; the requests
 * that were already made return their recorded results.
 */
function createLimitedClient(
  client: VisitClient,
  { domain, hosts, earlier }: Pick<VisitTask, 'domain' | 'earlier'> & { hosts: ReadonlyMap<string, HostGrant> },
  isInTime: () => boolean,
): LimitedClient {
  const toRepeat = [...earlier.exchanges];
  const exchanges: Exchange[] = [];
  const grantOf = (url: URL): HostGrant => {
    const grant = hosts.get(nameOf(url.hostname));
    if (grant === undefined) throw new HostNeeded(url);
    return grant;
  };
  const certificateOf: VisitClient['certificateOf'] = (host) =>
    client.certificateOf(host) ?? (host === hostOf(domain) ? earlier.certificate : null);

  return {
    async get(url, options) {
      const grant = grantOf(url);
      const exchange = { url: url.href, target: options.target };
      const next = toRepeat.shift();
      const isRecorded = next !== undefined && next.url === exchange.url && next.target === exchange.target;
      if (!isRecorded) toRepeat.length = 0;
      if (!isRecorded && !isInTime()) throw new DeadlinePassed();
      // A refused host gets no request. The visit client gives the same failure for an opted-out host.
      const failure = grant.kind === 'failed' ? grant.failure : 'visit-timeout';
      const result = isRecorded
        ? next.result
        : grant.kind === 'allowed'
          ? await client.get(url, options)
          : ({ kind: 'failure', failure, status: null, ms: 0, bytes: 0 } as const);
      exchanges.push({ ...exchange, result });
      return result;
    },
    async addressesOf(url) {
      const grant = grantOf(url);
      return grant.kind === 'failed' ? grant.failure : addressesOf(grant);
    },
    certificateOf,
    wait: async (ms) => (toRepeat.length > 0 ? undefined : await client.wait(ms)),
    close: () => client.close(),
    isRepeating: () => toRepeat.length > 0,
    part: () => ({ exchanges, certificate: certificateOf(hostOf(domain)) }),
  };
}

function addressesOf(grant: HostGrant) {
  return grant.kind === 'allowed' ? grant.addresses : [];
}

/** The name of a host in a task: an IPv6 address has no brackets. */
export function nameOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
