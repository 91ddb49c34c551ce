import { z } from 'zod';
import { DomainCounts } from './domain-counts.ts';
import { InstanceCounts } from './instance-counts.ts';
import { SCHEMA_VERSION } from './schema-version.ts';
import { Time } from './time.ts';

/** One file of an export, as `manifest.json` lists it. */
export const ManifestFile = z.object({
  name: z.string().describe('Path relative to the manifest, with forward slashes.'),
  bytes: z.int().nonnegative().describe('Size in bytes.'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the file in lower-case hexadecimal, as sha256sum prints it.'),
  schema: z
    .string()
    .nullable()
    .describe('Path of the JSON Schema of the file (of each line, for NDJSON); null for a schema.'),
});
export type ManifestFile = z.infer<typeof ManifestFile>;

/** `manifest.json`. */
export const Manifest = z
  .object({
    schemaVersion: z.literal(SCHEMA_VERSION).describe('Version of the shapes of all files listed.'),
    generatedAt: Time.describe(
      'When this manifest was written; it is rewritten only when something else in it changes.',
    ),
    tool: z
      .object({
        name: z.literal('loopscout').describe('Name of the program that wrote the files.'),
        version: z.string().describe('Version of that program.'),
      })
      .describe('What wrote the files.'),
    counts: InstanceCounts.pick({ instances: true, up: true, down: true })
      .extend(DomainCounts.shape)
      .describe('Totals over the files listed.'),
    files: z.array(ManifestFile).describe('Every file of the export but the manifest itself.'),
  })
  .meta({ title: 'manifest.json', description: 'The files of one export, with sizes and hashes; written last.' });
export type Manifest = z.infer<typeof Manifest>;
