import { type Clock, HOUR_MS, MINUTE_MS } from '../model/time.ts';
import type { Slot } from './host-limits.ts';

export type HourlyLimit = ReturnType<typeof createHourlyLimit>;

/** Bounds the memory: at this many keys, events are refused. */
const MAX_KEYS = 100_000;
/** The wait reported while {@link MAX_KEYS} keys are counted: a time after which to ask again, not a forecast. */
const FULL_WAIT_MS = MINUTE_MS;

/** Limits events per key: the `limit` of a slot is the maximum number of events with its key within an hour. */
export function createHourlyLimit(clock: Clock, maxKeys = MAX_KEYS) {
  /** Times of the events of each key, oldest first. The keys are in the order in which they last had an event counted. */
  const events = new Map<string, number[]>();

  function dropExpired(since: number): void {
    for (const [key, times] of events) {
      if ((times.at(-1) ?? since) > since) break;
      events.delete(key);
    }
  }

  const timesOf = (key: string) => (events.get(key) ?? []).filter((time) => time > clock() - HOUR_MS);

  function waitMs(slots: readonly Slot[]): number {
    dropExpired(clock() - HOUR_MS);
    if (events.size + slots.length > maxKeys) return FULL_WAIT_MS;
    const waits = slots.map(({ key, limit }) => {
      const blockingEvent = limit > 0 ? timesOf(key).at(-limit) : undefined;
      return blockingEvent === undefined ? 0 : blockingEvent + HOUR_MS - clock();
    });
    return Math.max(0, ...waits);
  }

  return {
    /** How long to wait before `count` is called again, in milliseconds; 0 when it would count now. */
    waitMs,
    /**
     * Counts one event for each key. Returns false, and counts nothing, when a key has reached its limit, or too many keys are counted. A
     * `limit` of 0 means no limit, and is not counted.
     */
    count(slots: readonly Slot[]): boolean {
      if (waitMs(slots) > 0) return false;
      for (const key of new Set(slots.filter(({ limit }) => limit > 0).map((slot) => slot.key))) {
        const times = [...timesOf(key), clock()];
        events.delete(key);
        events.set(key, times);
      }
      return true;
    },
    /** Takes back the last event of each slot; the keys must differ. */
    revoke(slots: readonly Slot[]): void {
      for (const { key } of slots) {
        const times = timesOf(key).slice(0, -1);
        if (times.length === 0) events.delete(key);
        else events.set(key, times);
      }
    },
  };
}
