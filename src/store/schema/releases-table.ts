/** The newest releases of the software, as its project told them. */
export interface ReleasesTable {
  /** Since when it was known to be the newest, epoch milliseconds. */
  at: number;
  version: string;
}
