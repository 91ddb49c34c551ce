import type { ExportSource } from '../../views/export-source.ts';
import type { DomainTally, InstanceTally } from '../../views/tallies.ts';
import type { Chunk } from '../files/blocks.ts';

/** What the datasets of one export learn on their way, for those that come later and for the manifest. */
export interface Tallies {
  readonly domains: DomainTally;
  readonly instances: InstanceTally;
  /** Domains that ask to be left out: nothing may be published of them. */
  readonly withheld: Set<string>;
  /** When the last visit of a published domain began, ISO 8601; null while none is known. */
  lastVisit: string | null;
}

/** What an export is told apart from its rows. */
export interface ExportRun {
  /** The time that the rows are of, milliseconds since the epoch. */
  readonly at: number;
  /** Whose export it is: the address that the crawler names as its own. */
  readonly contact: string;
}

/** One exported file: rows of the source turned into text or bytes. */
export interface Dataset {
  /** File name in the export folder. */
  readonly name: string;
  /** Path of its JSON Schema in the export folder; null when it has none. */
  readonly schema: string | null;
  /** The file in order; equal rows give equal bytes, and never more than some rows are held in memory. */
  chunks(source: ExportSource, tallies: Tallies, run: ExportRun): Iterable<Chunk>;
}
