import { networkInterfaces } from 'node:os';
import type { HttpFailure } from './failure.ts';
import type { Resolver } from './resolver.ts';

/** How a visit ended, as far as it tells of the network. */
export interface Outcome {
  host: string;
  /** The word for why the host could not be reached, or null when it could. */
  failure: string | null;
  /** Each request as it went, in order; the last ended just now. */
  steps: readonly { status: number | null; failure: string | null; ms: number }[];
  /** When the visit began to ask, on the clock of the connectivity. */
  startedAt: number;
  /** Whether the visit before failed as well, so that another failure is no news. */
  hasFailedBefore: boolean;
}

/** Tells a host that does not answer from a network of ours that does not work. */
export interface Connectivity {
  /** Whether an outcome may be held against the host; false when it is we who are offline. To be asked of every visit that ends. */
  mayBlame(outcome: Outcome): Promise<boolean>;
}

/** Failures that look the same from a host that is broken and from a network that is. */
const SILENT: ReadonlySet<string> = new Set<HttpFailure>(['dns-timeout', 'dns-refused', 'no-route']);

/** Failures that are an answer of the DNS. */
const OF_DNS: ReadonlySet<string> = new Set<HttpFailure>(['dns-nxdomain', 'dns-no-address']);

/** Failures that are an answer from the address, though none of HTTP. */
const OF_ADDRESS: ReadonlySet<string> = new Set<HttpFailure>([
  'connect-refused',
  'connection-reset',
  'tls-expired',
  'tls-wrong-name',
  'tls-untrusted',
  'tls-failed',
  'invalid-http',
]);

/** So many hosts that time out in a row, and nobody who answers meanwhile, are a way out of ours that is closed. */
const MANY_TIMEOUTS = 50;

export interface ConnectivityOptions {
  resolver: Pick<Resolver, 'answers' | 'resolves'>;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Whether this machine has an address besides loopback. */
  hasNetwork?: () => boolean;
}

export function createConnectivity({
  resolver,
  clock,
  hasNetwork = hasOutsideAddress,
}: ConnectivityOptions): Connectivity {
  /** When anything was last received, and when anything from a host itself. */
  let lastAnswer = Number.NEGATIVE_INFINITY;
  let lastAddressAnswer = Number.NEGATIVE_INFINITY;
  /** Hosts that timed out since then. */
  const timedOut = new Set<string>();
  const dnsAnswers = oneAtATime(() => resolver.answers());
  const dnsResolves = oneAtATime(() => resolver.resolves());

  /** Takes note of what was received, and answers whether anything was. */
  function learn(steps: Outcome['steps']): boolean {
    const answer = lastAnswerOf(steps);
    if (answer === null) return false;
    const at = clock() - answer.msAgo;
    lastAnswer = Math.max(lastAnswer, at);
    if (answer.isOfAddress) {
      lastAddressAnswer = Math.max(lastAddressAnswer, at);
      timedOut.clear();
    }
    return true;
  }

  /** The timed-out are forgotten when they are found to be many: the next attempt counts anew. */
  function isOneOfMany({ host, startedAt, hasFailedBefore }: Outcome): boolean {
    if (hasFailedBefore || lastAddressAnswer >= startedAt) return false;
    timedOut.add(host);
    if (timedOut.size < MANY_TIMEOUTS) return false;
    timedOut.clear();
    return true;
  }

  return {
    async mayBlame(outcome) {
      const { failure, steps, startedAt } = outcome;
      const hasAnswered = learn(steps);
      if (failure === null) return true;
      if (failure === 'dns-servfail') {
        if (lastAnswer >= startedAt) return true;
        if (!(await dnsResolves())) return false;
        lastAnswer = clock();
        return true;
      }
      if (SILENT.has(failure)) {
        if (lastAnswer >= startedAt) return true;
        if (failure === 'no-route' && !hasNetwork()) return false;
        return dnsAnswers();
      }
      return hasAnswered || !isOneOfMany(outcome);
    },
  };
}

/** When the last bytes came, at the latest, and whether from the host or only from the DNS; null when none did. */
function lastAnswerOf(steps: Outcome['steps']): { msAgo: number; isOfAddress: boolean } | null {
  let msAgo = 0;
  for (const { status, failure, ms } of steps.toReversed()) {
    if (failure !== null && OF_DNS.has(failure)) return { msAgo, isOfAddress: false };
    if (failure !== null && OF_ADDRESS.has(failure)) return { msAgo, isOfAddress: true };
    // Of a request that ended in a time-out, it is not known when the last bytes came.
    if (status !== null) return { msAgo: failure === null ? msAgo : msAgo + ms, isOfAddress: true };
    msAgo += ms;
  }
  return null;
}

/** One question at a time, however many visits wait for its answer. */
function oneAtATime(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}

function hasOutsideAddress(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
}
