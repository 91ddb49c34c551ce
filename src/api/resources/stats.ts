import { z } from 'zod';
import { byKey, FEATURES, LIMITS } from '../../model/facts/fact-leaves.ts';
import { meaningOf } from '../../model/facts/instance-facts.ts';
import { DomainCounts } from '../../views/schema/domain-line.ts';
import { InstanceCounts } from '../../views/schema/instances-file.ts';
import { Population } from '../../views/schema/population.ts';
import { OptOuts } from '../../views/schema/stats-file.ts';

/** When an answer was made. */
export const GeneratedAt = z.iso.datetime().meta({
  description: 'When this answer was made. A later time alone is no change: the `ETag` stays the same.',
});

const count = z.int().nonnegative();

/** How many instances say yes, no, or nothing. */
export const Answers = z.object({
  yes: count.meta({ description: 'Instances that say yes.' }),
  no: count.meta({ description: 'Instances that say no.' }),
  unknown: count.meta({ description: 'Instances that do not say.' }),
});
export type Answers = z.infer<typeof Answers>;

const limit = z.object({
  reporting: count.meta({ description: 'Instances that tell it.' }),
  least: z.number().nullable().meta({ description: 'The smallest; null when none tells it.' }),
  median: z.number().nullable().meta({ description: 'The middle one; null when none tells it.' }),
  most: z.number().nullable().meta({ description: 'The largest; null when none tells it.' }),
});
export type LimitSummary = z.infer<typeof limit>;

/** The directory and the known domains in numbers. */
export const Stats = z
  .object({
    generatedAt: GeneratedAt,
    instances: InstanceCounts.meta({ description: 'Totals over the listed instances, each with how many report it.' }),
    population: Population.meta({ description: 'How many instances there are in all, by capture-recapture.' }),
    registrationOpen: Answers.meta({ description: 'Whether registration is open.' }),
    federation: Answers.meta({ description: 'Whether federation is on.' }),
    features: z
      .object(byKey(FEATURES, ({ meta }) => Answers.meta({ description: `${meaningOf(meta)}.` })))
      .meta({ description: 'Which features are offered.' }),
    limits: z
      .object(byKey(LIMITS, ({ meta }) => limit.meta({ description: `${meaningOf(meta)}.` })))
      .meta({ description: 'What is allowed: megabytes, seconds, characters.' }),
    optOuts: OptOuts,
    domains: DomainCounts.meta({ description: 'Totals over the known domains.' }),
  })
  .meta({ id: 'Stats' });
export type Stats = z.infer<typeof Stats>;
