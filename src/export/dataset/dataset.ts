import type { z } from 'zod';
import type { DomainTally } from '../domain-tally.ts';
import type { ExportSource } from '../export-source.ts';
import type { Chunk } from '../file/chunk.ts';
import type { InstanceTally } from '../instance-tally.ts';

/** What the datasets of one export count on their way, for the manifest. */
export interface Tallies {
  readonly domains: DomainTally;
  readonly instances: InstanceTally;
}

/** One exported file: rows of the source turned into text. */
export interface Dataset {
  /** File name in the export folder. */
  readonly name: string;
  /** Path of its JSON Schema in the export folder. */
  readonly schema: string;
  /** Shape of the file, or of each line when it is NDJSON. */
  readonly shape: z.ZodType;
  /** The text of the file in order; equal rows give equal text, and never more than a row is held in memory. */
  chunks(source: ExportSource, tallies: Tallies): Iterable<Chunk>;
}
