import { z } from 'zod';
import { GeneratedAt } from './stats.ts';

const count = z.int().nonnegative();

export const VersionList = z
  .object({
    generatedAt: GeneratedAt,
    newest: z
      .object({
        version: z.string().meta({ description: 'The newest version.' }),
        from: z.enum(['release', 'crawl']).meta({
          description: '`release`: released by the project; `crawl`: run under at least two registrable domains.',
        }),
      })
      .nullable()
      .meta({ description: 'Null when unknown.' }),
    versions: z
      .array(
        z.object({
          version: z.string().meta({ description: 'As the instances report it.' }),
          instances: count.meta({ description: 'Listed instances that run it.' }),
          users: count.nullable().meta({ description: 'Their accounts; null when none reports a plausible number.' }),
          implausible: count.meta({
            description: 'Instances left out of `users`, because their counts are implausible.',
          }),
        }),
      )
      .meta({ description: 'Newest first, at most 1,000; versions that are not semantic versions come last.' }),
    distinct: count.meta({ description: 'Number of different versions.' }),
    unknown: count.meta({ description: 'Listed instances without a version.' }),
  })
  .meta({ id: 'VersionList' });
export type VersionList = z.infer<typeof VersionList>;

export const SoftwareList = z
  .object({
    generatedAt: GeneratedAt,
    software: z
      .array(
        z.object({
          name: z.string().meta({ description: 'As the domains report it.' }),
          domains: count.meta({ description: 'Known domains whose last known software it is.' }),
        }),
      )
      .meta({ description: 'The most common first, at most 100.' }),
    others: count.meta({ description: 'Domains whose software is known, but not in `software`.' }),
    unknown: count.meta({ description: 'Known domains without known software.' }),
  })
  .meta({ id: 'SoftwareList' });
export type SoftwareList = z.infer<typeof SoftwareList>;
