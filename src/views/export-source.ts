import type { DomainChange } from '../model/change.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { DailyUsage } from '../model/facts/usage-sample.ts';
import type { InstanceHistory, InstanceRecord } from '../model/instance-record.ts';
import type { Month } from '../model/month.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import type { IsHidden } from '../model/opt-outs/opted-out-references.ts';
import type { VisitOutcome } from '../model/visit.ts';
import type { RequestMark, StoreReader } from '../store/store-reader.ts';

/** The active sources that have ever listed an instance, by their published names, such as `file-3`. */
interface Membership {
  readonly domain: Domain;
  readonly sources: readonly string[];
}

/**
 * The data that an export reads. Each call iterates from the start, with one row in memory at a time. All iterations must see the same
 * state of the data (one read transaction): the files of an export are published as one set, and some rows are read twice.
 *
 * Domains that ask not to be published (`host.noindex`) appear only in `domains`; the export must hide them.
 */
export interface ExportSource {
  /** Every known domain, sorted by domain in the binary order of UTF-8. */
  domains(): Iterable<DomainRecord>;
  readonly isHidden: IsHidden;
  /** The opt-outs in force. */
  readonly optedOut: OptOutSet;
  /** The last opt-out and the last change, by their numbers; 0 when there is none. */
  lastRequest(): RequestMark;
  /** Whether a host that ever ran Loops has opted out or asked not to be published since. */
  hasRequestSince(mark: RequestMark): boolean;
  /** Number of opt-outs. */
  optOutCount(): number;
  /** The listed instances, sorted like {@link domains}. */
  instances(): Iterable<InstanceRecord>;
  /** Every change of every domain, in the order of recording. */
  changes(): Iterable<DomainChange>;
  /** Every domain that ever ran Loops, listed or not, sorted like {@link domains}; with `isWanted`, only those that it accepts. */
  histories(isWanted?: (domain: Domain) => boolean): Iterable<InstanceHistory>;
  /**
   * The listed instances, sorted like {@link domains}, each with the names of the sources that have ever listed it, possibly none.
   * Discovery by crawling is not a source, since it depends on the others. Removed or disabled sources are left out, because otherwise a
   * list that moved to another URL would count twice.
   */
  memberships(): Iterable<Membership>;
  /** The months of the stored visits, ascending; some may be empty. */
  visitMonths(): readonly Month[];
  /** The visits that began in a month, in the order of recording. */
  visits(month: Month): Iterable<VisitOutcome>;
  /** Visits that began before this time may have been deleted (`retention.visitsDays`); milliseconds since the epoch. */
  readonly visitsKeptSince: number;
  /** The months of the stored counts, ascending; some may be empty. */
  usageMonths(): readonly Month[];
  /** The last counts of each instance on each day of a month, sorted like {@link domains}, then by time. They are never deleted. */
  usage(month: Month): Iterable<DailyUsage>;
}

interface ExportSourceOptions {
  /** Reference time for uptime and ages; milliseconds since the epoch. */
  at: number;
  /** See {@link ExportSource.visitsKeptSince}. */
  visitsKeptSince: number;
}

/** @param reader reads a snapshot of the database. */
export function createExportSource(reader: StoreReader, { at, visitsKeptSince }: ExportSourceOptions): ExportSource {
  return {
    domains: () => reader.domains(),
    isHidden: (domain) => reader.isHidden(domain),
    optedOut: reader.optedOut,
    lastRequest: () => reader.lastRequest(),
    hasRequestSince: (mark) => reader.hasRequestSince(mark),
    optOutCount: () => reader.optOutCount(),
    instances: () => reader.instances(at),
    changes: () => reader.changes(),
    histories: (isWanted) => reader.histories(isWanted),
    memberships: () => reader.memberships(),
    visitMonths: () => reader.visitMonths(),
    visits: (month) => reader.visits(month),
    visitsKeptSince,
    usageMonths: () => reader.usageMonths(),
    usage: (month) => reader.usage(month),
  };
}
