/** What is kept of every domain that was ever found to be Loops. */
export interface FactsTable {
  domain_id: number;
  /** What is kept of it, but for the counts: of `fact_sets`. */
  facts_id: number;
  /** The last known counts, InstanceFacts.usage as JSON. */
  usage: string;
  /** Start of the last visit that found the instance, epoch milliseconds. */
  checked_at: number;
  /** Of KeptFacts.readAt the times that are not `checked_at`, as JSON: mostly none. */
  read_at: string;
}
