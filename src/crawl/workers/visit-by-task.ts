import { createAddressGuard } from '../../http/address-guard.ts';
import { NO_OPT_OUTS } from '../../http/admit-host.ts';
import { connectorFrom } from '../../http/connect-tcp.ts';
import { createTlsContext } from '../../http/tls-context.ts';
import { createHttp, type VisitClient } from '../../http/visit-client.ts';
import { identify } from '../../identify/identify.ts';
import { createVisitBuilder } from '../../identify/visit-builder.ts';
import { hostOf } from '../../model/domain/domain.ts';
import type { Clock, EpochMs } from '../../model/time.ts';
import type { Visit } from '../../model/visit.ts';
import { type Exchange, encodeExchange, isOfHost } from './exchange.ts';
import { cachedRobotsOf, type VisitTask } from './visit-task.ts';

/** The network settings of a worker. */
export interface WorkerNetwork {
  /** CIDR blocks exempt from the address guard. */
  allow: readonly string[];
  caFile: string | null;
  localAddress: string | null;
  timeouts: { connectMs: number; responseMs: number; visitMs: number };
  maxBodyBytes: number;
}

/** The requests of a visit to its own host. */
export interface TaskVisit {
  exchanges: Exchange[];
  /** The end of the host's certificate. */
  tlsExpires: EpochMs | null;
  /** The address at which the host answered; missing when it did not. */
  answeredAt?: string | undefined;
  /** Null when the visit stopped because it leads to another host. */
  visit: Visit | null;
}

/** Runs one visit. @param isInTime whether the visit may still send requests; called before each. @throws {DeadlineError} */
export type VisitByTask = (task: VisitTask, isInTime: () => boolean) => Promise<TaskVisit>;

/** The deadline of a visit passed before it ended; nothing is known about the host. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

class OtherHostError extends Error {}

/**
 * Creates the function that runs the visits of a worker, which has no store and resolves no names. The visit is identified only to know what
 * to request next. It stops at the first request to another host, because only the crawling process may contact that.
 *
 * @throws {CaFileError}
 */
export function createVisitByTask(network: WorkerNetwork, clock: Clock): VisitByTask {
  const now = Date.now;
  const resolve = () => Promise.reject(new Error('a worker resolves no names'));
  const http = {
    ...{ clock, now, ...network.timeouts, maxBodyBytes: network.maxBodyBytes },
    secureContext: createTlsContext(network.caFile),
    guard: createAddressGuard(network.allow),
    connector: connectorFrom(network.localAddress),
    resolver: { resolve, isAnswering: resolve, canResolve: resolve, cancel: () => undefined },
  };

  return async (task, isInTime) => {
    const { domain, addresses, userAgent } = task;
    const exchanges: Exchange[] = [];
    const client = createHttp({ ...http, userAgent })(hostOf(domain), addresses);
    const requireOwnHost = (url: URL) => {
      if (!isOfHost(url, domain)) throw new OtherHostError(url.host);
    };
    const recording: VisitClient = {
      ...client,
      async get(url, options) {
        requireOwnHost(url);
        if (!isInTime()) throw new DeadlineError('the deadline of the visit passed');
        const result = await client.get(url, options);
        exchanges.push(encodeExchange(url, options.target, result));
        return result;
      },
      async addressesOf(url) {
        requireOwnHost(url);
        return addresses;
      },
    };
    const context = {
      ...task,
      now,
      optOuts: NO_OPT_OUTS,
      thirdParties: { mayContact: () => true },
      isSubmission: false,
      cachedRobots: cachedRobotsOf(task),
      knownAddress: null,
      aliases: { aliasOf: () => null },
    };
    const builder = createVisitBuilder(domain, now, clock);
    try {
      const visit = await identify(builder, recording, context).catch((error: unknown) => {
        if (error instanceof OtherHostError) return null;
        throw error;
      });
      const host = hostOf(domain);
      const tlsExpires = client.certificateOf(host)?.validTo ?? null;
      return { exchanges, tlsExpires, answeredAt: client.answeredAt(host) ?? undefined, visit };
    } finally {
      client.close();
    }
  };
}
