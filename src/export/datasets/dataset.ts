import type { StatsPoint } from '../../directory/schema/stats-file.ts';
import { DomainTally, InstanceTally } from '../../directory/tallies.ts';
import type { EpochMs } from '../../model/time.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import type { Chunk } from '../files/blocks.ts';
import { NewestEvents } from './feed-events.ts';

/** Results that datasets collect for later datasets and for the manifest. */
export interface Tallies {
  readonly domains: DomainTally;
  readonly instances: InstanceTally;
  /** One line of JSON per listed instance: its InstanceEntry. As strings they would take three times the memory. */
  readonly instanceLines: Buffer[];
  /** Domains that ask not to be published. */
  readonly noindex: Set<string>;
  /** Start of the last visit to a published domain, ISO 8601; null when there is none. */
  lastVisit: string | null;
  /** The statistics of each day, oldest first. */
  readonly days: StatsPoint[];
  readonly events: NewestEvents;
}

export function createTallies(): Tallies {
  return {
    domains: new DomainTally(),
    instances: new InstanceTally(),
    instanceLines: [],
    noindex: new Set(),
    lastVisit: null,
    days: [],
    events: new NewestEvents(),
  };
}

export interface ExportRun {
  /** Time of the exported state. */
  readonly at: EpochMs;
  /** Contact address of the crawler. */
  readonly contact: string;
}

/** One exported file. */
export interface Dataset {
  /** File name in the export folder. */
  readonly name: string;
  /** Path of its JSON Schema in the export folder; null when it has none. */
  readonly schema: string | null;
  /** The content, in order. Equal rows give equal bytes; only a few rows are in memory at a time. */
  chunks(source: StoreQueries, tallies: Tallies, run: ExportRun): Iterable<Chunk>;
}
