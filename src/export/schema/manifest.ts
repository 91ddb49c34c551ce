import { z } from 'zod';
import { DomainCounts } from '../../directory/schema/domain-line.ts';
import { addCodebookNotes, SCHEMA_VERSION, Time } from '../../directory/schema/fields.ts';
import { InstanceCounts } from '../../directory/schema/instances-file.ts';
import { Sampling } from './sampling.ts';

/** One file of an export, as `manifest.json` lists it. */
export const ManifestFile = z.object({
  name: z.string().describe('Path relative to the manifest, with forward slashes.'),
  bytes: addCodebookNotes(z.int().nonnegative().describe('Size.'), { unit: 'bytes' }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the file in lower-case hexadecimal, as sha256sum prints it.'),
  schema: z
    .string()
    .nullable()
    .describe(
      'Path of the JSON Schema that the uncompressed file follows, or each of its lines or rows (NDJSON, CSV, Parquet); null for a schema, and for a file without one.',
    ),
  rows: addCodebookNotes(
    z
      .int()
      .nonnegative()
      .optional()
      .describe('Its rows: lines of NDJSON and plain text, rows of a table, entries of the list in a JSON document.'),
    { unit: 'rows' },
  ),
  isComplete: z
    .boolean()
    .optional()
    .describe(
      'Only for months of visits or usage: whether the month had been over for a day when the file was written, so no later export adds to it.',
    ),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

/** An instance that is no longer in the files. */
export const Departure = z.object({
  domain: z.string().describe('Domain of an instance that was listed before.'),
  at: Time.describe('When the first files without it were made.'),
});
export type Departure = z.infer<typeof Departure>;

/** `manifest.json`. */
export const Manifest = z
  .object({
    schemaVersion: addCodebookNotes(z.literal(SCHEMA_VERSION).describe('Version of the shapes of all files listed.'), {
      unit: 'none',
    }),
    generatedAt: Time.describe(
      'When this manifest was written. It is rewritten only when something else in it changes.',
    ),
    tool: z
      .object({
        name: z.literal('loopscout').describe('Name of the program that wrote the files.'),
        version: z.string().describe('Version of that program.'),
      })
      .describe('What wrote the files.'),
    licence: z
      .string()
      .optional()
      .describe('The licence of the data, an SPDX id or an https URL. Absent when the publisher states none.'),
    doi: z.string().optional().describe('The DOI of the data. Absent when the publisher states none.'),
    counts: InstanceCounts.pick({ instances: true, up: true, down: true })
      .extend(DomainCounts.shape)
      .describe('Totals over the files listed.'),
    lastVisit: z
      .object({
        id: addCodebookNotes(z.int().nonnegative().describe('Its number in the database.'), { unit: 'none' }),
        at: Time.describe('When it began.'),
      })
      .nullable()
      .optional()
      .describe('The last visit that had been recorded when the files were made; null when there was none.'),
    sampling: Sampling.optional(),
    departed: z
      .array(Departure)
      .optional()
      .describe(
        'Instances that left the files in the previous 24 hours and are not back, by domain; without those that moved to a listed domain, opted out or ask not to be published. The publish guard adds them to the instances that the next export would lose. Absent when there is none, and after `export --force`.',
      ),
    files: z
      .array(ManifestFile)
      .describe(
        'Every file of the export but the manifest itself and the dated files, which `history/index.json` lists.',
      ),
  })
  .meta({ title: 'manifest.json', description: 'The files of one export, with sizes and hashes; written last.' });
addCodebookNotes(Manifest, { source: 'Loopscout' });
export type Manifest = z.infer<typeof Manifest>;
