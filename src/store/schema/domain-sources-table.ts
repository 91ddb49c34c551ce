/** Which source has ever listed which domain. */
export interface DomainSourcesTable {
  domain_id: number;
  source_id: number;
  /** Epoch milliseconds. */
  first_at: number;
  /** What the source says that it runs; null when it says nothing, or what could name a host. */
  software: string | null;
}
