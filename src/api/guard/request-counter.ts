import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../model/time.ts';

/** Maximum clients with a request count; the least recently used is dropped. */
const MAX_CLIENTS = 100_000;

/**
 * Creates the store of a rate limit, which counts the requests of each client in windows of time. Unlike the plugin's own, it uses a
 * monotonic clock: a system clock that is set back would prolong the window.
 */
export function requestCounter(clock: Clock): FastifyRateLimitStoreCtor {
  return class RequestCounter implements FastifyRateLimitStore {
    readonly #windows = new LRUCache<string, { startedAt: number; count: number }>({
      // Limits the sum of sizes, because `max` would allocate the places of all clients at once.
      maxSize: MAX_CLIENTS,
      sizeCalculation: () => 1,
    });

    incr: FastifyRateLimitStore['incr'] = (key, done, windowMs) => {
      const at = clock();
      const last = this.#windows.get(key);
      const isOpen = last !== undefined && at < last.startedAt + windowMs;
      const window = isOpen ? { ...last, count: last.count + 1 } : { startedAt: at, count: 1 };
      this.#windows.set(key, window);
      done(null, { current: window.count, ttl: window.startedAt + windowMs - at });
    };

    child(): FastifyRateLimitStore {
      return new RequestCounter();
    }
  };
}
