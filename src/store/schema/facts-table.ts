/** The last good facts of every domain that was ever found to be Loops. */
export interface FactsTable {
  domain_id: number;
  /** InstanceFacts as JSON. */
  facts: string;
  /** Start of the visit that read them, epoch milliseconds. */
  checked_at: number;
}
