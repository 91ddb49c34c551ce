import type { Generated, GeneratedAlways } from 'kysely';
import type { ChangeCause, ChangedField } from '../../model/change.ts';
import type { Domain } from '../../model/domain/domain.ts';
import type { Conclusive, DomainState } from '../../model/domain-record.ts';
import type { Reason } from '../../model/reason.ts';
import type { RunOutcome } from '../../model/run-outcome.ts';
import type { Verdict, Via } from '../../model/verdict.ts';
import type { Lane } from '../store-reader.ts';

/** All tables, as the newest migration leaves them. */
export interface Database {
  domains: DomainsTable;
  visits: VisitsTable;
  visit_steps: VisitStepsTable;
  facts: FactsTable;
  fact_sets: FactSetsTable;
  usage: UsageTable;
  changes: ChangesTable;
  documents: DocumentsTable;
  latest_documents: LatestDocumentsTable;
  robots: RobotsTable;
  metadata: MetadataTable;
  opt_outs: OptOutsTable;
  reschedules: ReschedulesTable;
  corrections: CorrectionsTable;
  releases: ReleasesTable;
  sources: SourcesTable;
  source_inactive_periods: SourceInactivePeriodsTable;
  source_runs: SourceRunsTable;
  skipped_sources: SkippedSourcesTable;
  domain_sources: DomainSourcesTable;
  source_queues: SourceQueuesTable;
}

/** Every change of a recorded fact, for ever. */
export interface ChangesTable {
  /** Ascending in the order of recording, and never used twice. */
  id: Generated<number>;
  domain_id: number;
  /** Epoch milliseconds. */
  at: number;
  field: ChangedField;
  /** FactValue as JSON; null: unknown. So is `to_value`. */
  from_value: string | null;
  to_value: string | null;
  why: string | null;
  cause: ChangeCause;
  /** The visit may be gone. */
  visit_id: number | null;
}

/** What a visit said before a replay corrected it; kept as long as the visit. */
export interface CorrectionsTable {
  visit_id: number;
  /** Epoch milliseconds. */
  recorded_at: number;
  /** JSON: the former values of the fields that were corrected. */
  replaced: string;
}

/** Every document ever received, kept once, as it came. */
export interface DocumentsTable {
  id: Generated<number>;
  /** 32 bytes. */
  sha256: Uint8Array;
  /** Length of the document. */
  bytes: number;
  /** 1 when `body` is deflated (zlib format, RFC 1950), 0 when it is that. */
  deflated: number;
  /** Null when it is withheld. */
  body: Uint8Array | null;
  /** Why the body is not kept: it names a host that has opted out. Null when it is. */
  redacted_because: 'opted-out' | null;
}

/** Which source has ever listed which domain. */
export interface DomainSourcesTable {
  domain_id: number;
  source_id: number;
  /** Epoch milliseconds. */
  first_at: number;
  /** What the source says that it runs; null when it says nothing, or what could name a host. */
  software: string | null;
}

/** Every known domain: what is kept of it between visits, and who is visiting it now. Times are epoch milliseconds. */
export interface DomainsTable {
  id: Generated<number>;
  domain: Domain;
  registrable_domain: string;
  state: DomainState;
  /** Since when it is in this state, and what moved it there, in words. */
  state_since: number;
  state_why: string;
  verdict: Verdict | null;
  reason: Reason | null;
  conclusive: Conclusive | null;
  /** 0 or 1. */
  once_loops: number;
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
  /** 0, 1, or null when unknown; so is `noindex`. */
  ipv4: number | null;
  ipv6: number | null;
  tls_expires: number | null;
  noindex: number | null;
  /** The ways in which it asks not to be published, with spaces between them, in order; null where it does not. */
  noindex_by: string | null;
  canonical_host: Domain | null;
  /** The three lease columns are all set or all null. */
  lease_owner: string | null;
  /** Tells two leases of one owner apart. */
  lease_token: number | null;
  lease_expires: number | null;
  /** Leases lost in a row; a recorded visit sets it back to 0. */
  leases_lost: number;
  /** The source that entered it; null: a person named it, or another host led to it. */
  discovered_by_source_id: number | null;
  /** The source in whose queue it got its rank, one of those that list it; null: it got it in none. */
  queued_for_source_id: number | null;
  /** 0 or 1: whether it got its rank because that source reports it to be Loops. */
  reported_loops: Generated<number>;
  /** 0 or 1: whether it was asked for by name; its first visit is not deferred then. */
  requested: Generated<number>;
  /** Its place among new domains, see `source-queues.ts`; null once it was visited or deferred, or two leases of it were lost. */
  rank: number | null;
  /** Of one that is dead: when a source was last noted to list it since, to some days; null: not since it died. */
  last_listed: number | null;
  /** The priority lane that it waits in, computed. */
  lane: GeneratedAlways<Lane>;
  /** Its place in that lane, computed: the rank, else the time of the next visit. */
  due_order: GeneratedAlways<number | null>;
}

/** What instances say of themselves, apart from counts; each set is kept once, however many visits read it. */
export interface FactSetsTable {
  id: Generated<number>;
  /** InstanceFacts without `usage`, as JSON. */
  facts: string;
}

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

/** The documents of the last visit of a domain that received any, so that they outlive it. Columns: ids of `documents`. */
export interface LatestDocumentsTable {
  domain_id: number;
  visit_id: number;
  config_document: number | null;
  discovery_document: number | null;
  nodeinfo_document: number | null;
}

/** Single facts of the database as a whole. */
export interface MetadataTable {
  key: string;
  value: string;
}

/** The list of opt-outs. No row of `domains` is covered by one of them. */
export interface OptOutsTable {
  /** Ascends with time; no later row gets the id of one that was deleted. */
  id: Generated<number>;
  /** A host with a port or without, as a Domain has it. */
  name: string;
  /** When it was made, epoch milliseconds. */
  at: number;
}

/** The newest releases of the software, as its project told them. */
export interface ReleasesTable {
  /** Since when it was known to be the newest, epoch milliseconds. */
  at: number;
  version: string;
}

/** What moved the next visit of a domain other than a visit: a request by name, a lost lease, a repaired clock, a replay. */
type RescheduleCause = 'requested' | 'added' | 'lost-lease' | 'deferred' | 'clock' | 'replay';

/** The log of a domain beside its visits. Times are epoch milliseconds. */
export interface ReschedulesTable {
  id: Generated<number>;
  domain_id: number;
  at: number;
  /** The last visit, of any domain, that had been recorded by then; 0 when none had. */
  after_visit_id: number;
  cause: RescheduleCause;
  /** Both of the domain afterwards. */
  state: DomainState;
  next_visit: number | null;
}

/** The robots.txt of a domain as it was last read. */
export interface RobotsTable {
  domain_id: number;
  /** Epoch milliseconds. */
  read_at: number;
  /** Null: there is none. */
  body: Uint8Array | null;
}

/** When sources were not among those that are read: removed from the settings, or switched off. One that is read for the first time has none. */
export interface SourceInactivePeriodsTable {
  source_id: number;
  /** Epoch milliseconds, as is `inactive_until`: when that was found. */
  inactive_from: number;
  /** Null while it is away. */
  inactive_until: number | null;
}

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

/** Every reading of a source. */
export interface SourceRunsTable {
  /** Ascending in the order in which they were begun, and never used twice. */
  id: Generated<number>;
  source_id: number;
  /** Epoch milliseconds. */
  begun_at: number;
  /** Of a broken one, when that was found; null while it is under way, as is `outcome`. */
  ended_at: number | null;
  outcome: RunOutcome | null;
  /** Who reads it: an owner of leases. */
  owner: string;
  /** So long nobody else reads the source, epoch milliseconds; a reading does not last longer. */
  claimed_until: number;
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
  /** When it was first read, epoch milliseconds. */
  first_at: number;
  /** Until when it asked to be left alone at its last reading, epoch milliseconds; null when it did not. */
  not_before: number | null;
}

/** Sources that were to be read and were not asked, each with the last time; gone with the next reading. */
export interface SkippedSourcesTable {
  key: string;
  /** Epoch milliseconds. */
  at: number;
  why: string;
}

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

/** What a visit did, request by request; there is no row once that is no longer kept. */
export interface VisitStepsTable {
  visit_id: number;
  /** A list of Step as JSON. */
  steps: string;
}

/** Every completed visit and what it decided; a row exists exactly when the visit is completed. */
export interface VisitsTable {
  /** Ascending in the order of recording, and never used twice. */
  id: Generated<number>;
  domain_id: number;
  /** Start, epoch milliseconds. */
  at: number;
  duration_ms: number;
  verdict: Verdict;
  reason: Reason;
  via: Via | null;
  software: string | null;
  version: string | null;
  alias_of: Domain | null;
  retry_after_ms: number | null;
  /** Where an instance says that it is; null of everything but `loops`. */
  canonical_host: Domain | null;
  /** Of the domain after the visit. */
  state: DomainState;
  /** As it was set by the visit, epoch milliseconds; null when never due. */
  next_visit: number | null;
  /** What the visit read, of `fact_sets`. */
  facts_id: number | null;
  /** What was kept of the instance from this visit on, of `fact_sets`; null when the visit found none. */
  merged_facts_id: number | null;
  /** Documents: null when there was none, or it is no longer kept with the visit. */
  config_document: number | null;
  discovery_document: number | null;
  nodeinfo_document: number | null;
  /** From its start until it was recorded, milliseconds. */
  recorded_ms: number;
  /** Of the domain after the visit: null when it is the start of this visit, 0 when the domain was never seen. */
  last_seen: number | null;
  /** Of the domain after the visit: 0, 1, or null when unknown. */
  noindex: number | null;
}
