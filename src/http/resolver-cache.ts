import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import type { Resolution, Resolver } from './resolver.ts';

export interface ResolverCacheOptions {
  /** Look-ups under way at a time; others wait their turn. */
  concurrency: number;
  /** Monotonic, in milliseconds. */
  clock: () => number;
  /** Answers kept; beyond that the one unused for longest goes. */
  limit?: number;
}

/** However long a name says its answers hold, they are kept no longer than this, in seconds. */
const MOST_SECONDS = 3_600;
/** That a name does not exist, or has no address, is kept so long: c-ares does not tell the SOA's minimum (RFC 2308 section 5). */
const NEGATIVE_SECONDS = 60;

const CANCELLED: Resolution = { ok: false, failure: 'dns-timeout' };

/**
 * Keeps answers as long as they hold, asks for a name once however many wait for it, and bounds the look-ups under way.
 * A server that failed or was silent is asked again: that was no answer.
 */
export function cacheResolutions(
  resolver: Resolver,
  { concurrency, clock, limit = 2_000 }: ResolverCacheOptions,
): Resolver {
  const queue = new PQueue({ concurrency });
  const kept = new LRUCache<string, Resolution>({ max: limit, perf: { now: clock }, ttlResolution: 0 });
  const asked = new Map<string, Promise<Resolution>>();
  async function ask(host: string): Promise<Resolution> {
    // Rejects only for a look-up that was cancelled before its turn came.
    const resolution = await queue.add(() => resolver.resolve(host)).catch(() => CANCELLED);
    const seconds = secondsToKeep(resolution);
    if (seconds !== null) kept.set(host, resolution, { ttl: seconds * 1_000 });
    return resolution;
  }

  return {
    ...resolver,
    resolve(host) {
      const known = kept.get(host);
      if (known !== undefined) return Promise.resolve(known);
      const underWay = asked.get(host) ?? ask(host).finally(() => asked.delete(host));
      asked.set(host, underWay);
      return underWay;
    },
    cancel() {
      queue.clear();
      resolver.cancel();
    },
  };
}

/** Null for what is not kept: a failure, and an answer for the one who asked alone (a TTL of 0, RFC 1035 section 3.2.1). */
function secondsToKeep(resolution: Resolution): number | null {
  if (resolution.ok) return resolution.ttlSeconds > 0 ? Math.min(MOST_SECONDS, resolution.ttlSeconds) : null;
  return resolution.failure === 'dns-nxdomain' || resolution.failure === 'dns-no-address' ? NEGATIVE_SECONDS : null;
}
