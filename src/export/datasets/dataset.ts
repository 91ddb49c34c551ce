import type { StatsPoint } from '../../directory/schema/stats-file.ts';
import { DomainTally, InstanceTally } from '../../directory/tallies.ts';
import type { EpochMs } from '../../model/time.ts';
import type { StoreQueries } from '../../store/store-reader.ts';
import type { Chunk } from '../files/blocks.ts';
import type { Publication } from '../publication.ts';
import { NewestEvents } from './feed-events.ts';

/** When an instance was in the directory. */
export interface Stay {
  /** Null when it never was. */
  readonly enteredAt: EpochMs | null;
  /** Null while it is listed, or when it never was. */
  readonly leftAt: EpochMs | null;
  readonly isListed: boolean;
}

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
  /** When each domain that ever ran Loops was listed. */
  readonly stays: Map<string, Stay>;
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
    stays: new Map(),
  };
}

export interface ExportRun {
  /** Time of the exported state. */
  readonly at: EpochMs;
  readonly publication: Publication;
  /** Counts the rows that are read from it, for the manifest. */
  counted<Row>(rows: Iterable<Row>): Iterable<Row>;
  /** Tells the number of rows that were counted otherwise. */
  setRows(count: number): void;
}

/** Counts the rows of one file. */
export class RowCount {
  /** Null while none was to be counted. */
  rows: number | null = null;

  *of<Row>(rows: Iterable<Row>): Iterable<Row> {
    this.rows ??= 0;
    for (const row of rows) {
      this.rows += 1;
      yield row;
    }
  }

  async *ofAsync<Row>(rows: AsyncIterable<Row>): AsyncIterable<Row> {
    this.rows ??= 0;
    for await (const row of rows) {
      this.rows += 1;
      yield row;
    }
  }
}

/** One exported file. */
export interface Dataset {
  /** File name in the export folder. */
  readonly name: string;
  /** What a file without a schema holds, in a sentence. */
  readonly about?: string;
  /** Path of its JSON Schema in the export folder; null when it has none. */
  readonly schema: string | null;
  /** The content, in order. Equal rows give equal bytes; only a few rows are in memory at a time. */
  chunks(source: StoreQueries, tallies: Tallies, run: ExportRun): Iterable<Chunk>;
}
