import { z } from 'zod';
import { InstanceEntry } from './instance-entry.ts';
import { noted } from './noted.ts';
import { SCHEMA_VERSION } from './schema-version.ts';
import { Time } from './time.ts';

const { domain, name, version, registration, usage } = InstanceEntry.shape;

/** What a picker of instances needs. */
export const InstanceChoice = z
  .object({ domain, name, version, open: registration.shape.open, users: usage.shape.users })
  .describe('A Loops instance that is listed.');
noted(InstanceChoice, { source: 'as in instances.json' });
export type InstanceChoice = z.infer<typeof InstanceChoice>;

/** `instances.min.json`. */
export const InstancesMinFile = z
  .object({
    schemaVersion: noted(z.literal(SCHEMA_VERSION).describe('Version of this shape.'), { unit: 'none' }),
    generatedAt: Time.describe('When this file was written; it is rewritten only when something else in it changes.'),
    instances: z.array(InstanceChoice).describe('Every listed instance, sorted by domain.'),
  })
  .meta({
    title: 'instances.min.json',
    description: 'The listed Loops instances, with what a picker of instances needs.',
  });
noted(InstancesMinFile, { source: 'Loopscout' });
export type InstancesMinFile = z.infer<typeof InstancesMinFile>;
