import { networkInterfaces } from 'node:os';
import type { HttpFailure } from './failure.ts';
import type { Resolver } from './resolver.ts';

/** Tells a host that does not answer from a network of ours that does not work. */
export interface Connectivity {
  /**
   * Whether an outcome may be held against the host.
   *
   * @param failure the word for why the host could not be reached, or null when it answered.
   * @param startedAt when the visit began, on the same clock.
   * @returns false when it is we who are offline.
   */
  mayBlame(failure: string | null, startedAt: number): Promise<boolean>;
}

/** Failures that look the same from a host that is broken and from a network that is. NXDOMAIN is an answer. */
const SILENT: ReadonlySet<string> = new Set<HttpFailure>(['dns-timeout', 'dns-refused', 'no-route']);

/** Failures that prove nothing: the way there may be broken as well as the host. */
const NEUTRAL: ReadonlySet<string> = new Set<HttpFailure>(['connect-timeout', 'visit-timeout']);

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
  let lastAnswer = Number.NEGATIVE_INFINITY;
  const dnsAnswers = oneAtATime(() => resolver.answers());
  const dnsResolves = oneAtATime(() => resolver.resolves());

  return {
    async mayBlame(failure, startedAt) {
      if (failure === 'dns-servfail') {
        if (lastAnswer < startedAt && !(await dnsResolves())) return false;
        lastAnswer = clock();
        return true;
      }
      if (failure === null || !SILENT.has(failure)) {
        if (failure === null || !NEUTRAL.has(failure)) lastAnswer = clock();
        return true;
      }
      if (lastAnswer >= startedAt) return true;
      if (failure === 'no-route' && !hasNetwork()) return false;
      return dnsAnswers();
    },
  };
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
