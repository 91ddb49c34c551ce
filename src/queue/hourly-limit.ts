import type { Claim } from './admission.ts';

/** Counts events by key within the last hour. */
export interface HourlyLimit {
  /** Counts one event under every key; false, and nothing is counted, when a key has reached its limit. A limit of 0 is none. */
  admit(claims: readonly Claim[]): boolean;
}

const HOUR_MS = 3_600_000;
/** At this many keys, events are refused. */
const MAX_KEYS = 100_000;

/** @param clock monotonic, in milliseconds. */
export function createHourlyLimit(clock: () => number): HourlyLimit {
  /** Times of the events, oldest first; the key with the oldest last event comes first. */
  const events = new Map<string, number[]>();

  function forgetOld(since: number): void {
    for (const [key, times] of events) {
      if ((times.at(-1) ?? since) > since) break;
      events.delete(key);
    }
  }

  return {
    admit(claims) {
      const at = clock();
      forgetOld(at - HOUR_MS);
      if (events.size + claims.length > MAX_KEYS) return false;
      const limited = new Map(claims.filter(({ limit }) => limit > 0).map(({ key, limit }) => [key, limit]));
      const counted = [...limited].map(([key, limit]) => {
        const times = (events.get(key) ?? []).filter((time) => time > at - HOUR_MS);
        return { key, times, isFull: times.length >= limit };
      });
      if (counted.some(({ isFull }) => isFull)) return false;
      for (const { key, times } of counted) {
        events.delete(key);
        events.set(key, [...times, at]);
      }
      return true;
    },
  };
}
