/** The new domains of each source, in two queues: those that it reports to be Loops, and the others. See `source-queues.ts`. */
export interface SourceQueuesTable {
  /** Of `sources`; 0: domains that no source lists. */
  source_id: number;
  /** 0 or 1. */
  reported_loops: number;
  /** The rank that its last domain was given. */
  last_rank: number;
  /** How many domains were given ranks in this queue. */
  ranked: number;
  /** How many domains that were reported to be Loops were found to be; 0 in the queue of the others. */
  confirmed: number;
}
