import { networkInterfaces } from 'node:os';
import type { Clock } from '../model/time.ts';
import type { HttpFailure } from './failure.ts';
import type { Resolver } from './resolver.ts';

/** The network side of a finished visit. */
export interface HostContact {
  host: string;
  /** The failure code of an unreachable host, else null. */
  failure: string | null;
  /** Every request in order; the last one has just ended. */
  steps: readonly { status: number | null; failure: string | null; ms: number }[];
  /** Start of the visit itself, on `clock`; excludes the wait for an address slot. */
  startedAt: number;
  /** Whether the previous visit failed too, so that another failure is no evidence against our network. */
  hasFailedBefore: boolean;
}

/** Distinguishes a host that does not answer from a broken network on our side. */
export type Connectivity = ReturnType<typeof createConnectivity>;

/** Failures that a broken host and a broken network on our side both cause. */
const AMBIGUOUS_FAILURES: ReadonlySet<string> = new Set<HttpFailure>(['dns-timeout', 'dns-refused', 'no-route']);

/** Failures that prove that the DNS answered. */
const DNS_ANSWERS: ReadonlySet<string> = new Set<HttpFailure>(['dns-nxdomain', 'dns-no-address']);

/** Failures that prove that the address answered, though not over HTTP. */
const ADDRESS_ANSWERS: ReadonlySet<string> = new Set<HttpFailure>([
  'connect-refused',
  'connection-reset',
  'tls-expired',
  'tls-wrong-name',
  'tls-untrusted',
  'tls-failed',
  'invalid-http',
  'headers-too-large',
]);

/** This many different hosts timing out in a row, with no answer from an address in between, mean that our own network drops packets. */
const MAX_TIMEOUTS_IN_A_ROW = 50;

export interface ConnectivityOptions {
  resolver: Pick<Resolver, 'isAnswering' | 'canResolve'>;
  clock: Clock;
  /** Whether this machine has an address other than loopback. */
  hasNetwork?: () => boolean;
}

export function createConnectivity({ resolver, clock, hasNetwork = hasOutsideAddress }: ConnectivityOptions) {
  /** Time of the last answer of any kind, and of the last one from a host's address. */
  let lastAnswer = Number.NEGATIVE_INFINITY;
  let lastAddressAnswer = Number.NEGATIVE_INFINITY;
  /** The last answers of the two hosts that answered last; the newer one first. */
  let lastHosts: readonly { host: string; at: number }[] = [];
  /** Time when the DNS servers were last seen to resolve a name that exists, or to refuse the query. */
  let lastResolved = Number.NEGATIVE_INFINITY;
  /** Hosts that timed out since the last answer from an address. */
  const timedOut = new Set<string>();
  const isDnsAnswering = shareConcurrentCalls(() => resolver.isAnswering());
  const canDnsResolve = shareConcurrentCalls(async () => {
    const can = await resolver.canResolve();
    if (can) lastResolved = clock();
    return can;
  });

  /** Records the last answer of a visit; false when it received none. */
  function recordAnswer({ host, steps }: HostContact): boolean {
    const answer = lastAnswerOf(steps);
    if (answer === null) return false;
    const at = clock() - answer.msAgo;
    lastAnswer = Math.max(lastAnswer, at);
    if (answer.isFromAddress) {
      lastAddressAnswer = Math.max(lastAddressAnswer, at);
      lastHosts = [{ host, at }, ...lastHosts.filter((other) => other.host !== host)].slice(0, 2);
      timedOut.clear();
    }
    return true;
  }

  /**
   * Counts a time-out, unless the host failed before or an address answered meanwhile. True when the limit is reached, which means that
   * we are offline; the count then restarts at zero, because a list of hosts that are gone would otherwise end every pass at its first time-out.
   */
  function isPartOfOutage({ host, startedAt, hasFailedBefore }: HostContact): boolean {
    if (hasFailedBefore || lastAddressAnswer >= startedAt) return false;
    timedOut.add(host);
    if (timedOut.size < MAX_TIMEOUTS_IN_A_ROW) return false;
    timedOut.clear();
    return true;
  }

  return {
    /** Whether a failure is the host's; false when we are offline. Must be called after every visit. */
    async isHostAtFault(contact: HostContact): Promise<boolean> {
      const { failure, startedAt } = contact;
      const hasAnswered = recordAnswer(contact);
      if (failure === null) return true;
      if (failure === 'dns-servfail') return Math.max(lastAnswer, lastResolved) >= startedAt || canDnsResolve();
      // A broken name server, or one in front of a sign-in page, denies that any name exists.
      if (failure === 'dns-nxdomain') return Math.max(lastAddressAnswer, lastResolved) >= startedAt || canDnsResolve();
      if (AMBIGUOUS_FAILURES.has(failure)) {
        if (Math.max(lastAnswer, lastResolved) >= startedAt) return true;
        if (failure === 'no-route' && !hasNetwork()) return false;
        return isDnsAnswering();
      }
      return hasAnswered || !isPartOfOutage(contact);
    },
    /** Whether the address of another host than this one has answered since a time on `clock`. */
    hasOtherAnswered: (host: string, since: number): boolean =>
      lastHosts.some((other) => other.host !== host && other.at >= since),
  };
}

/**
 * Approximate age of the last answer (waits between requests are not counted), and whether it came from the host or only from the DNS; null
 * when there was none.
 */
function lastAnswerOf(steps: HostContact['steps']): { msAgo: number; isFromAddress: boolean } | null {
  let msAgo = 0;
  for (const { status, failure, ms } of steps.toReversed()) {
    if (failure !== null && DNS_ANSWERS.has(failure)) return { msAgo, isFromAddress: false };
    if (failure !== null && ADDRESS_ANSWERS.has(failure)) return { msAgo, isFromAddress: true };
    // A request that timed out does not show when its last bytes arrived.
    if (status !== null) return { msAgo: failure === null ? msAgo : msAgo + ms, isFromAddress: true };
    msAgo += ms;
  }
  return null;
}

/** Callers that arrive while a call is running share its result. */
function shareConcurrentCalls(ask: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  };
}

function hasOutsideAddress(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}
