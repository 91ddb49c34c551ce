/** The robots.txt of a domain as it was last read. */
export interface RobotsTable {
  domain_id: number;
  /** Epoch milliseconds. */
  read_at: number;
  /** Null: there is none. */
  body: Uint8Array | null;
}
