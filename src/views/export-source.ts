import type { DomainChange } from '../model/change.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { DailyUsage } from '../model/facts/usage-sample.ts';
import type { InstanceHistory, InstanceRecord } from '../model/instance-record.ts';
import type { Month } from '../model/month.ts';
import type { OptOutSet } from '../model/opt-outs/opt-out-names.ts';
import type { VisitOutcome } from '../model/visit.ts';
import type { StoreReader } from '../store/store-reader.ts';

/** Which sources in force have ever listed an instance; by their published names, such as `file-3`. */
interface Membership {
  readonly domain: Domain;
  readonly sources: readonly string[];
}

/**
 * What an export reads, as it stands at one moment. Each call iterates from the start, one row in memory at a time. All iterations
 * must see one and the same state of the data (one read transaction): the files of an export are published as one set, and some
 * rows are read twice.
 *
 * Domains that ask not to be published at that moment (`host.noindex`) are in `domains` alone, which leaves it
 * to the export to withhold them: what it publishes must be the same whichever way a row came.
 */
export interface ExportSource {
  /** Every known domain, sorted by domain in the binary order of UTF-8. */
  domains(): Iterable<DomainRecord>;
  /** Whether nothing may be published of a domain: it is then not named as what others lead to either. */
  readonly isRedacted: (domain: string) => boolean;
  /** The opt-outs in force. */
  readonly optedOut: OptOutSet;
  /** How many have opted out by that moment. */
  optOuts(): number;
  /** The listed instances, sorted as {@link domains}. */
  instances(): Iterable<InstanceRecord>;
  /** Every change of every domain, in the order of recording. */
  changes(): Iterable<DomainChange>;
  /** Every domain that was ever found to be Loops, listed or not, sorted as {@link domains}. */
  histories(): Iterable<InstanceHistory>;
  /**
   * The listed instances, sorted as {@link domains}, each with the names of the sources that have ever listed it; those that none has, too.
   * What was come upon while crawling is no source here: it depends on the others; nor is what was removed from the settings or switched
   * off: a list that moved would be two.
   */
  memberships(): Iterable<Membership>;
  /** The months in which any visit that is kept began, ascending; one without any may be among them. */
  visitMonths(): readonly Month[];
  /** The visits that began in a month, in the order of recording. */
  visits(month: Month): Iterable<VisitOutcome>;
  /** Visits that began before this may have been thrown away (`retention.visitsDays`); milliseconds since the epoch. */
  readonly visitsKeptSince: number;
  /** The months in which any count was read, ascending; one without any may be among them. */
  usageMonths(): readonly Month[];
  /**
   * The last counts of each instance on each day of a month, sorted as {@link domains}, then by time. They are never thrown away,
   * so that a month that is over stays as it is.
   */
  usage(month: Month): Iterable<DailyUsage>;
}

interface Moment {
  /** Uptime and what depends on age are as of it; milliseconds since the epoch. */
  at: number;
  /** Visits that began before may have been thrown away. */
  visitsKeptSince: number;
}

/** What an export reads, from a reader of one moment: one with a snapshot, or of the past. */
export function sourceOf(reader: StoreReader, { at, visitsKeptSince }: Moment): ExportSource {
  return {
    domains: () => reader.domains(),
    isRedacted: (domain) => reader.isRedacted(domain),
    optedOut: reader.optedOut,
    optOuts: () => reader.optOuts(),
    instances: () => reader.instances(at),
    changes: () => reader.changes(),
    histories: () => reader.histories(),
    memberships: () => reader.memberships(),
    visitMonths: () => reader.visitMonths(),
    visits: (month) => reader.visits(month),
    visitsKeptSince,
    usageMonths: () => reader.usageMonths(),
    usage: (month) => reader.usage(month),
  };
}

/** A domain that another leads to, as it is published: null when nothing may be published of it. */
export function namedDomain(domain: Domain | null, isRedacted: ExportSource['isRedacted']): Domain | null {
  return domain !== null && isRedacted(domain) ? null : domain;
}
