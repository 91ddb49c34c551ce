import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How often one address may ask. */
export interface RateLimit {
  perMinute: number;
  perHour: number;
}

/** Where an address stands after an attempt. */
export interface Attempts {
  /** Of the window that has fewer attempts left. */
  readonly limit: number;
  readonly remaining: number;
  /** Null: the attempt was within the limit. */
  readonly retryAfterMs: number | null;
}

export interface RateLimiter {
  /** Counts an attempt of an address against what `limit` says at that moment. */
  attempt(address: string, limit: RateLimit): Promise<Attempts>;
  /** Forgets every address, and ends the timers that wait to. */
  forget(): void;
}

/**
 * Counts the attempts of each address in windows of a minute and of an hour that begin with its first one. Holds up to
 * `addresses` of them; beyond that the one that came first is forgotten. Its clock is the machine's.
 */
export function createRateLimiter(addresses = 10_000): RateLimiter {
  const minute = new RateLimiterMemory({ keyPrefix: '', points: 1, duration: 60 });
  const hour = new RateLimiterMemory({ keyPrefix: '', points: 1, duration: 3600 });
  const known = new Set<string>();

  const forget = (address: string): void => {
    known.delete(address);
    // Done at once in memory; only the answer takes a turn.
    void minute.delete(address);
    void hour.delete(address);
  };
  const remember = (address: string): void => {
    if (known.has(address)) return;
    known.add(address);
    const [first] = known;
    if (known.size > addresses && first !== undefined) forget(first);
  };

  return {
    attempt: async (address, { perMinute, perHour }) => {
      minute.points = perMinute;
      hour.points = perHour;
      remember(address);
      const counts = [await count(minute, address, perMinute), await count(hour, address, perHour)];
      const refusedMs = counts.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
      const [scarcer] = counts.sort((a, b) => a.remaining - b.remaining);
      return {
        limit: scarcer?.limit ?? 0,
        remaining: scarcer?.remaining ?? 0,
        retryAfterMs: refusedMs.length === 0 ? null : Math.max(...refusedMs),
      };
    },
    forget: () => {
      for (const address of known) forget(address);
    },
  };
}

async function count(limiter: RateLimiterMemory, address: string, limit: number): Promise<Attempts> {
  try {
    const { remainingPoints: remaining } = await limiter.consume(address);
    return { limit, remaining, retryAfterMs: null };
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return { limit, remaining: 0, retryAfterMs: refused.msBeforeNext };
  }
}
