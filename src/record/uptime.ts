/** Of one stretch of time up to now: how much of it was watched, and how much of that the domain was up. */
export interface UptimeWindow {
  /** 0 to 1, of the time that was watched; null when too little was. */
  share: number | null;
  /** The part of the stretch that visits vouch for, 0 to 1. */
  coverage: number;
}

/** Of the last 24 hours, 7 days and 30 days. */
export interface Uptime {
  day: UptimeWindow;
  week: UptimeWindow;
  month: UptimeWindow;
}
