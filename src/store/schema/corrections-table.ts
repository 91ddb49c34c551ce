/** What a visit said before a replay corrected it; kept as long as the visit. */
export interface CorrectionsTable {
  visit_id: number;
  /** Epoch milliseconds. */
  recorded_at: number;
  /** JSON: the former values of the fields that were corrected. */
  replaced: string;
}
