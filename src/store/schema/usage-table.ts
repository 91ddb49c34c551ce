/** The counts that a visit read; a row exists when it read any. Null is unknown. */
export interface UsageTable {
  domain_id: number;
  /** Start of the visit, epoch milliseconds. */
  at: number;
  visit_id: number;
  users: number | null;
  active_month: number | null;
  active_halfyear: number | null;
  posts: number | null;
}
