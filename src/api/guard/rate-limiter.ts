/** What one more request leaves to who made it. */
export interface Spent {
  /** Requests in a window, as text for a header. */
  readonly limit: string;
  readonly remaining: number;
  /** Seconds until all are there again, at least 1. */
  readonly resetSeconds: number;
  readonly isTooMany: boolean;
}

const MINUTE_MS = 60_000;
/** Whoever comes when so many are known shares one count with the others that come then, so that memory is bounded. */
const MOST_CLIENTS = 100_000;
const ALL_OTHERS = '';

/**
 * Counts requests by client, in minutes (or other windows) that are the same for all, so that nothing is to be cleared away one by one. Null: no limit.
 *
 * @param clock monotonic, in milliseconds.
 */
export function createRateLimiter(
  most: number,
  clock: () => number,
  windowMs = MINUTE_MS,
): ((client: string) => Spent) | null {
  if (most === 0) return null;
  const limit = String(most);
  let counts = new Map<string, number>();
  let endsAt = Number.NEGATIVE_INFINITY;
  return (client) => {
    const at = clock();
    if (at >= endsAt) {
      counts = new Map();
      endsAt = at + windowMs;
    }
    const key = counts.size < MOST_CLIENTS || counts.has(client) ? client : ALL_OTHERS;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return {
      limit,
      remaining: Math.max(0, most - count),
      resetSeconds: Math.max(1, Math.ceil((endsAt - at) / 1_000)),
      isTooMany: count > most,
    };
  };
}
