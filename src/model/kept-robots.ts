/** A robots.txt as it was read, kept for at most a day (RFC 9309 section 2.4). */
export interface KeptRobots {
  /** Milliseconds since the epoch. */
  readAt: number;
  /** Null: there is none, and everything is allowed. */
  body: Uint8Array | null;
}
