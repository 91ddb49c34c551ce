import type { Generated, GeneratedAlways } from 'kysely';
import type { Domain } from '../../domain/domain.ts';
import type { Conclusive } from '../../record/domain-record.ts';
import type { DomainState } from '../../record/domain-state.ts';
import type { Reason } from '../../record/reason.ts';
import type { Verdict, Via } from '../../record/verdict.ts';
import type { Line } from '../store-reader.ts';

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
  /** The source in whose turn it waits for its first visit, one of those that list it; null: of none. */
  turn_of: number | null;
  /** The source that entered it; null: none did, it was named by a person or led to by another host. */
  brought_by: number | null;
  /** Of one that is dead: when a source was last noted to list it since, to some days; null: not since it died. */
  last_listed: number | null;
  /** 0 or 1: whether a source says that it is Loops. */
  hinted: Generated<number>;
  /** The line that it waits in when it is due, computed from the state; null for the opted-out. */
  line: GeneratedAlways<Line | null>;
  /** Computed: `turn_of` of what is new, else 0. */
  turn: GeneratedAlways<number>;
}
