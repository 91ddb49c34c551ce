/** Sources that were to be read and were not asked, each with the last time; gone with the next reading. */
export interface UnaskedSourcesTable {
  key: string;
  /** Epoch milliseconds. */
  at: number;
  why: string;
}
