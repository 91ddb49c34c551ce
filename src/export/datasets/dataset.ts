import { schemaPath } from '../../directory/schema/fields.ts';
import { DomainTally, InstanceTally } from '../../directory/tallies.ts';
import type { EpochMs } from '../../model/time.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { Chunk } from '../files/blocks.ts';
import type { Part } from '../files/stage-file.ts';
import type { Publication } from '../publication.ts';
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
  readonly events: NewestEvents;
}

export function createTallies(): Tallies {
  return {
    domains: new DomainTally(),
    instances: new InstanceTally(),
    instanceLines: [],
    noindex: new Set(),
    lastVisit: null,
    events: new NewestEvents(),
  };
}

export interface ExportRun {
  /** Time of the exported state. */
  readonly at: EpochMs;
  readonly publication: Publication;
}

export interface DatasetFile {
  /** File name in the export folder. */
  readonly name: string;
  /** What a file without a schema holds, in a sentence. */
  readonly about?: string;
  /** Path of its JSON Schema in the export folder; null when it has none. */
  readonly schema: string | null;
}

/** The files that one pass over rows of the database writes. */
export interface Dataset {
  readonly files: readonly DatasetFile[];
  /** Their content, each in order. Equal rows give equal bytes; only a few rows are in memory at a time. */
  parts(source: StoreReader, tallies: Tallies, run: ExportRun): Iterable<Part>;
}

/** A dataset of one file. */
export function single(
  file: DatasetFile,
  chunks: (source: StoreReader, tallies: Tallies, run: ExportRun) => Iterable<Chunk>,
): Dataset {
  return {
    files: [file],
    *parts(...input) {
      for (const chunk of chunks(...input)) yield { file: 0, chunk };
    },
  };
}

/** `NAME.FORMAT` for each format: the same table in several files. */
export function filesOf(name: string, formats: readonly string[], schema = schemaPath(name)): DatasetFile[] {
  return formats.map((format) => ({ name: `${name}.${format}`, schema }));
}
