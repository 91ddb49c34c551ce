/** The documents of the last visit of a domain that received any, so that they outlive it. Columns: ids of `documents`. */
export interface LatestDocumentsTable {
  domain_id: number;
  visit_id: number;
  config_document: number | null;
  discovery_document: number | null;
  nodeinfo_document: number | null;
}
