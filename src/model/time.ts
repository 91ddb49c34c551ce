/** A time, in milliseconds since the epoch. */
export type EpochMs = number;

/** A monotonic clock, in milliseconds, for durations. It has no date. */
export type Clock = () => number;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
