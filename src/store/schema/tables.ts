import type { Generated } from 'kysely';
import type { ChangeCause, ChangedField } from '../../model/change.ts';
import type { Domain } from '../../model/domain/domain.ts';
import type { Conclusive, DomainState } from '../../model/domain-record.ts';
import type { Priority } from '../../model/priority.ts';
import type { Reason } from '../../model/reason.ts';
import type { RunOutcome } from '../../model/run-outcome.ts';
import type { Verdict, Via } from '../../model/verdict.ts';

/** All tables, as of the newest migration. Times are epoch milliseconds. */
export interface Tables {
  domains: DomainsTable;
  visits: VisitsTable;
  visit_steps: VisitStepsTable;
  facts: FactsTable;
  fact_sets: FactSetsTable;
  usage: UsageTable;
  changes: ChangesTable;
  documents: DocumentsTable;
  latest_documents: LatestDocumentsTable;
  in_progress: InProgressTable;
  robots: RobotsTable;
  metadata: MetadataTable;
  opt_outs: OptOutsTable;
  releases: ReleasesTable;
  sources: SourcesTable;
  source_runs: SourceRunsTable;
  skipped_sources: SkippedSourcesTable;
  domain_sources: DomainSourcesTable;
  queue_ends: QueueEndsTable;
}

/** Every change of a recorded fact; never deleted by compaction. */
export interface ChangesTable {
  /** Ascending in the order of recording; never reused. */
  id: Generated<number>;
  domain_id: number;
  at: number;
  field: ChangedField;
  /** A FactValue as JSON; null is unknown. */
  from_value: string | null;
  to_value: string | null;
  why: string | null;
  cause: ChangeCause;
  /** Null when no visit found the change. The visit may have been deleted. */
  visit_id: number | null;
}

/** Received documents, stored once each. */
export interface DocumentsTable {
  id: Generated<number>;
  /** 32 bytes. */
  sha256: Uint8Array;
  /** Uncompressed length. */
  bytes: number;
  /** 1 when `body` is in the zlib format (RFC 1950), 0 when it is uncompressed. */
  deflated: number;
  body: Uint8Array;
}

/** Each domain that a source has ever listed. */
export interface DomainSourcesTable {
  domain_id: number;
  source_id: number;
  first_at: number;
  /** When a run last read it; an unchanged list is not read again. */
  last_at: number;
  /** The software that the source reports; null when it reports none, or text that may contain a host name. */
  software: string | null;
}

/** Every known domain. */
export interface DomainsTable {
  id: Generated<number>;
  domain: Domain;
  registrable_domain: string;
  state: DomainState;
  state_since: number;
  state_why: string;
  verdict: Verdict | null;
  reason: Reason | null;
  /** The last verdict that says what the host runs: `loops`, `other` or `alias`. */
  identified_as: Conclusive | null;
  /** 0 or 1. */
  was_ever_loops: number;
  via: Via | null;
  software: string | null;
  version: string | null;
  alias_of: Domain | null;
  first_seen: number;
  last_visit: number | null;
  last_seen: number | null;
  next_visit: number | null;
  next_visit_why: string | null;
  failures: number;
  failing_since: number | null;
  consecutive_same_outcome: number;
  /** 0, 1, or null when unknown; the same holds for `ipv6` and `noindex`. */
  ipv4: number | null;
  ipv6: number | null;
  /** The address at which it answered, and what is known of that; see {@link Hosting}. */
  address: Generated<string | null>;
  country: Generated<string | null>;
  asn: Generated<number | null>;
  network: Generated<string | null>;
  behind: Generated<string | null>;
  tls_expires: number | null;
  noindex: number | null;
  /** The signals by which the host asks not to be listed, separated by spaces; null when there is none. */
  noindex_by: string | null;
  canonical_host: Domain | null;
  priority: Priority;
  /** Order within the priority: of entry for requested and new domains, else the next visit. See `queue-order.ts`. */
  queue_order: number;
  /** Visits in a row that ended with the process; a recorded visit resets it to 0. */
  crashes: Generated<number>;
  /** Who requested the visit that is waiting: a user of the command line or a visitor of the pages; null when nobody did. */
  origin: 'user' | 'submission' | null;
  /** The source that entered it; null when a user did, or another host led to it. */
  discovered_by_source_id: number | null;
  /** The source whose listing gave it its place among the new domains; null when none did. */
  queued_for_source_id: number | null;
  /** The last time that a source listed it after it died, accurate to some days; null when none has. */
  last_listed: number | null;
}

/** Facts reported by instances, without usage counts; each set is stored once and shared by visits. */
export interface FactSetsTable {
  id: Generated<number>;
  /** InstanceFacts without `usage`, as JSON. */
  facts: string;
}

/** The last good facts of every domain that was ever Loops. */
export interface FactsTable {
  domain_id: number;
  facts_id: number;
  /** The last known usage counts, InstanceFacts.usage as JSON. */
  usage: string;
  /** Start of the last visit that identified the instance. */
  checked_at: number;
  /** KnownFacts.readAt as JSON, without the times that equal `checked_at`. */
  read_at: string;
}

/** For each domain, the documents of its last visit that received any; they outlive the visit. */
export interface LatestDocumentsTable {
  domain_id: number;
  visit_id: number;
  config_document: number | null;
  discovery_document: number | null;
  nodeinfo_document: number | null;
}

/** Domains that are being visited; a row that a process leaves behind counts as a crash of the visit. */
export interface InProgressTable {
  domain_id: number;
  /** 0 or 1: whether another visit was requested since this one was picked. */
  is_requested: Generated<number>;
}

/** Values that belong to the database as a whole. */
export interface MetadataTable {
  key: string;
  value: string;
}

/** Opt-outs. `domains` has no row for a domain that an opt-out covers. */
export interface OptOutsTable {
  /** Ascending; never reused. */
  id: Generated<number>;
  /** A host with or without a port, normalized as a Domain. */
  name: string;
  at: number;
}

/** Releases of the software, as published by its project. */
export interface ReleasesTable {
  /** The time from which it was known as the newest. */
  at: number;
  version: string;
}

/** The robots.txt last received from a domain. */
export interface RobotsTable {
  domain_id: number;
  read_at: number;
  /** Null when the host has none. */
  body: Uint8Array | null;
}

/** The last order that each source was given in a priority; source 0 stands for no source. See `queue-order.ts`. */
export interface QueueEndsTable {
  source_id: number;
  priority: Priority;
  last_order: number;
}

/** Every run of a source. */
export interface SourceRunsTable {
  /** Ascending in the order in which the runs began; never reused. */
  id: Generated<number>;
  source_id: number;
  begun_at: number;
  /** End of the run; for a broken run, the time at which the break was stored. Null while the run is in progress. */
  ended_at: number | null;
  /** Null while the run is in progress. */
  outcome: RunOutcome | null;
  why: string | null;
  etag: string | null;
  last_modified: string | null;
  requests: Generated<number>;
  bytes: Generated<number>;
  lines: Generated<number>;
  entered: Generated<number>;
  known: Generated<number>;
  queue_full: Generated<number>;
  capped_by_domain: Generated<number>;
  opted_out: Generated<number>;
  merged: Generated<number>;
  refused: Generated<number>;
  /** Counts by reason, as JSON. */
  refused_by_reason: Generated<string>;
}

/** Every source that was ever read. */
export interface SourcesTable {
  id: Generated<number>;
  key: string;
  type: string;
  label: string;
  /** Start of the first run. */
  first_at: number;
  /** The earliest next request, as its server asked in the last run (Retry-After); null when it did not. */
  not_before: number | null;
  /** 0 or 1: whether the settings disable it or lack it. */
  inactive: Generated<number>;
}

/** Sources that were skipped when due, with the last time; the next run deletes the row. */
export interface SkippedSourcesTable {
  key: string;
  at: number;
  why: string;
}

/** The usage counts that a visit read; there is no row when all are unknown. */
export interface UsageTable {
  domain_id: number;
  at: number;
  visit_id: number;
  users: number | null;
  active_month: number | null;
  active_halfyear: number | null;
  posts: number | null;
}

/** The requests of a visit; compaction deletes old rows. */
export interface VisitStepsTable {
  visit_id: number;
  /** Step[] as JSON. */
  steps: string;
}

/** Completed visits and their results. */
export interface VisitsTable {
  /** Ascending in the order of recording; never reused. */
  id: Generated<number>;
  domain_id: number;
  at: number;
  duration_ms: number;
  verdict: Verdict;
  reason: Reason;
  via: Via | null;
  software: string | null;
  version: string | null;
  alias_of: Domain | null;
  /** The canonical host that the instance names; null unless the verdict is `loops`. */
  canonical_host: Domain | null;
  /** State of the domain after the visit. */
  state: DomainState;
  /** Next visit of the domain after the visit; null when never due. */
  next_visit: number | null;
  /** The facts that the visit read. */
  facts_id: number | null;
  /** Null when the visit received none or compaction deleted it; the same holds for the other documents. */
  config_document: number | null;
  discovery_document: number | null;
  nodeinfo_document: number | null;
}
