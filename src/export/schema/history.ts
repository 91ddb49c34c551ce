import { z } from 'zod';
import { addCodebookNotes, Day, SCHEMA_VERSION, Time } from '../../directory/schema/fields.ts';

const version = {
  writtenAt: Time.describe('When this version was written.'),
  bytes: addCodebookNotes(z.int().nonnegative().describe('Its size.'), { unit: 'bytes' }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Its SHA-256 in lower-case hexadecimal.'),
  instances: addCodebookNotes(z.int().nonnegative().describe('Its number of instances.'), { unit: 'instances' }),
};

/** A dated file, as `history/index.json` lists it. */
export const DatedFileEntry = z.object({
  date: Day.describe('The day, in UTC.'),
  name: z.string().describe('Path relative to the manifest.'),
  ...version,
  replaced: z
    .array(z.object(version).describe('An earlier version.'))
    .describe(
      'The earlier versions of the file, oldest first. A file is rewritten only to remove instances that opted out or ask not to be published.',
    ),
});
export type DatedFileEntry = z.infer<typeof DatedFileEntry>;

/** `history/index.json`. */
export const HistoryIndex = z
  .object({
    schemaVersion: addCodebookNotes(z.literal(SCHEMA_VERSION).describe('Version of this shape.'), { unit: 'none' }),
    generatedAt: Time.describe('When this file was written. It is rewritten only when something else in it changes.'),
    checked: z
      .object({
        optOuts: addCodebookNotes(z.int().nonnegative().describe('Number of the last opt-out.'), { unit: 'none' }),
        changes: addCodebookNotes(z.int().nonnegative().describe('Number of the last change.'), { unit: 'none' }),
      })
      .describe('The requests not to be published that the files respect: all up to these numbers in the database.'),
    gaps: z
      .array(Day)
      .describe('Days since the first file, and of the last 400, without a file, because nothing was published.'),
    files: z.array(DatedFileEntry).describe('Every dated file, by date.'),
  })
  .meta({
    title: 'history/index.json',
    description: 'The dated files with sizes and hashes, and the days without one.',
  });
addCodebookNotes(HistoryIndex, { source: 'Loopscout' });
export type HistoryIndex = z.infer<typeof HistoryIndex>;
