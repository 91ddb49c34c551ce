import type { Generated, GeneratedAlways } from 'kysely';
import type { Domain } from '../../model/domain/domain.ts';
import type { Conclusive } from '../../model/domain-record.ts';
import type { DomainState } from '../../model/domain-state.ts';
import type { Reason } from '../../model/reason.ts';
import type { Verdict, Via } from '../../model/verdict.ts';
import type { Lane } from '../store-reader.ts';

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
  repeats: number;
  /** 0, 1, or null when unknown; so is `noindex`. */
  ipv4: number | null;
  ipv6: number | null;
  tls_expires: number | null;
  noindex: number | null;
  /** The ways in which it asks not to be published, with spaces between them, in order; null where it does not. */
  noindex_by: string | null;
  points_to: Domain | null;
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
