import type { Domain } from '../domain/domain.ts';
import type { DomainRecord } from '../record/domain-record.ts';
import type { DomainState } from '../record/domain-state.ts';
import type { InstanceRecord } from '../record/instance-record.ts';
import type { Reason } from '../record/reason.ts';
import type { Verdict } from '../record/verdict.ts';
import type { DocumentKind, Visit } from '../record/visit.ts';

/** A completed visit; `documents` are ids for {@link StoreReader.document}. */
export interface StoredVisit extends Omit<Visit, 'documents' | 'host' | 'robots'> {
  readonly documents: Partial<Record<DocumentKind, number>>;
}

export interface StoredDocument {
  /** Hexadecimal SHA-256 of the body. */
  readonly sha256: string;
  /** As it was received. */
  readonly body: Uint8Array;
}

/** How many domains bear a name; lists of these are sorted by count, largest first, then by name. */
export interface NamedCount<Name extends string = string> {
  readonly name: Name;
  readonly count: number;
}

export interface StoreCounts {
  readonly domains: number;
  /** Opted-out domains are counted in `domains` and `byState`, and nowhere else. */
  readonly byState: Readonly<Partial<Record<DomainState, number>>>;
  /** Of the last visits; domains not yet visited are in none. */
  readonly byVerdict: Readonly<Partial<Record<Verdict, number>>>;
  readonly byReason: readonly NamedCount<Reason>[];
  readonly listed: number;
  /** Due at the time asked about, leased ones left out. */
  readonly due: number;
  readonly leased: number;
  /** Last known software of all domains, the 50 commonest. */
  readonly software: readonly NamedCount[];
  /** Versions of the listed instances, the 50 commonest. */
  readonly versions: readonly NamedCount[];
}

/** A read-only connection of its own. Iterators stream in constant memory; each can be left early. */
export interface StoreReader extends Disposable {
  /** Reads every row once: about a second for a million domains. */
  counts(at: number): StoreCounts;
  find(domain: Domain): DomainRecord | null;
  /** All known domains, sorted by domain in the binary order of UTF-8. */
  domains(): IterableIterator<DomainRecord>;
  /** The listed instances with their last good facts, sorted as {@link domains}. */
  instances(): IterableIterator<InstanceRecord>;
  /** The completed visits of a domain, newest first. */
  visitsOf(domain: Domain): IterableIterator<StoredVisit>;
  completedVisits(): number;
  document(id: number): StoredDocument | null;
}
