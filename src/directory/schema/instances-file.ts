import { z } from 'zod';
import { byKey, COUNTS } from '../../model/facts/fact-leaves.ts';
import { addCodebookNotes, Day, rowShapeOf, SCHEMA_VERSION, Time } from './fields.ts';
import { InstanceEntry } from './instance-entry.ts';
import { count, summed } from './reported-series.ts';

/** Totals over the listed instances. */
export const InstanceCounts = z
  .object({
    instances: count('Listed instances.'),
    up: count('Listed instances with status `up`.'),
    down: count('Listed instances with status `down`.'),
    ...byKey(COUNTS, ({ meta }) =>
      summed(`${meta.meaning}, summed over the instances that report a plausible count.`, meta.unit ?? ''),
    ),
  })
  .describe('Totals over the listed instances.');
export type InstanceCounts = z.infer<typeof InstanceCounts>;

/** `instances.json`, and the dated files `history/YYYY-MM-DD.json.gz`. */
export const InstancesFile = z
  .object({
    schemaVersion: addCodebookNotes(z.literal(SCHEMA_VERSION).describe('Version of this shape.'), { unit: 'none' }),
    date: Day.optional().describe('Only in a dated file: its day, in UTC.'),
    generatedAt: Time.describe(
      'When this file was written, which happens only when something else in it changes; in a dated file, when its instances were published.',
    ),
    counts: InstanceCounts,
    instances: z.array(InstanceEntry).describe('Every listed instance, sorted by domain.'),
  })
  .meta({
    title: 'instances.json',
    description: 'The Loops instances that are listed now; in a dated file, those that were published on that day.',
  });
addCodebookNotes(InstancesFile, { source: 'Loopscout' });
export type InstancesFile = z.infer<typeof InstancesFile>;

const { domain, url, name, version, registration, usage, status, joinable } = InstanceEntry.shape;

/** The fields that an instance picker needs. */
export const InstanceChoice = z
  .object({
    ...{ domain, url, name, version, status, open: registration.shape.open, mode: registration.shape.mode },
    users: usage.shape.users,
    joinable,
  })
  .describe('A Loops instance that is listed.');
addCodebookNotes(InstanceChoice, { source: 'as in instances.json' });
export type InstanceChoice = z.infer<typeof InstanceChoice>;

/** `instances.min.json`. */
export const InstancesMinFile = z
  .object({
    schemaVersion: addCodebookNotes(z.literal(SCHEMA_VERSION).describe('Version of this shape.'), { unit: 'none' }),
    generatedAt: Time.describe('When this file was written. It is rewritten only when something else in it changes.'),
    instances: z.array(InstanceChoice).describe('Every listed instance, sorted by domain.'),
  })
  .meta({
    title: 'instances.min.json',
    description: 'The listed Loops instances, with the fields that an instance picker needs.',
  });
addCodebookNotes(InstancesMinFile, { source: 'Loopscout' });
export type InstancesMinFile = z.infer<typeof InstancesMinFile>;

/** One row of the tables of instances: an entry of `instances.json` with each leaf under its path. */
export const InstanceRow = rowShapeOf(InstanceEntry).meta({
  title: 'instances.csv',
  description:
    'One row of instances.csv: an instance, each field under its path in instances.json, joined by underscores: `registration_open`.',
});
addCodebookNotes(InstanceRow, { source: 'as in instances.json' });
