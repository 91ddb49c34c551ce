import { z } from 'zod';
import { GeneratedAt } from './stats.ts';

const count = z.int().nonnegative();

/** Versions of the listed instances. */
export const VersionList = z
  .object({
    generatedAt: GeneratedAt,
    newest: z
      .object({
        version: z.string().meta({ description: 'The newest version.' }),
        from: z.enum(['release', 'crawl']).meta({
          description: 'Who says so: its project, or at least two registrable domains that run it.',
        }),
      })
      .nullable()
      .meta({ description: 'Null when it is not known.' }),
    versions: z
      .array(
        z.object({
          version: z.string().meta({ description: 'As the instances state it.' }),
          instances: count.meta({ description: 'Listed instances that run it.' }),
          users: count.nullable().meta({ description: 'Their accounts; null when none of them tells.' }),
        }),
      )
      .meta({ description: 'Newest first; what is no semantic version last. The 1,000 newest.' }),
    distinct: count.meta({ description: 'How many versions there are.' }),
    unknown: count.meta({ description: 'Listed instances that state none.' }),
  })
  .meta({ id: 'VersionList' });
export type VersionList = z.infer<typeof VersionList>;

/** What the known domains run. */
export const SoftwareList = z
  .object({
    generatedAt: GeneratedAt,
    software: z
      .array(
        z.object({
          name: z.string().meta({ description: 'As the domains state it.' }),
          domains: count.meta({ description: 'Known domains that ran it when last asked.' }),
        }),
      )
      .meta({ description: 'The commonest first, at most 100.' }),
    others: count.meta({ description: 'Domains that run something that is not among these.' }),
    unknown: count.meta({ description: 'Known domains of which it was never known.' }),
  })
  .meta({ id: 'SoftwareList' });
export type SoftwareList = z.infer<typeof SoftwareList>;
