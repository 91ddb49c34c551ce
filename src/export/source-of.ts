import type { StoreReader } from '../store/store-reader.ts';
import type { ExportSource } from './export-source.ts';

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
    isWithheld: (domain) => reader.isWithheld(domain),
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
