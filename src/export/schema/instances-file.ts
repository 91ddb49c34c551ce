import { z } from 'zod';
import { InstanceCounts } from './instance-counts.ts';
import { InstanceEntry } from './instance-entry.ts';
import { noted } from './noted.ts';
import { SCHEMA_VERSION } from './schema-version.ts';
import { Time } from './time.ts';

/** `instances.json`. */
export const InstancesFile = z
  .object({
    schemaVersion: noted(z.literal(SCHEMA_VERSION).describe('Version of this shape.'), { unit: 'none' }),
    generatedAt: Time.describe('When this file was written; it is rewritten only when something else in it changes.'),
    counts: InstanceCounts,
    instances: z.array(InstanceEntry).describe('Every listed instance, sorted by domain.'),
  })
  .meta({ title: 'instances.json', description: 'The Loops instances that are listed now.' });
noted(InstancesFile, { source: 'Loopscout' });
export type InstancesFile = z.infer<typeof InstancesFile>;
