import { z } from 'zod';
import { DomainCounts } from '../../directory/schema/domain-line.ts';
import { InstanceCounts } from '../../directory/schema/instances-file.ts';
import { Population } from '../../directory/schema/population.ts';
import { OptOuts, StatsPoint } from '../../directory/schema/stats-file.ts';
import { byKey, FEATURES, LIMITS } from '../../model/facts/fact-leaves.ts';
import { meaningOf } from '../../model/facts/instance-facts.ts';
import { Reason } from '../../model/reason.ts';

export const GeneratedAt = z.iso.datetime().meta({
  description: 'Time of the data in this response. It does not affect the `ETag`.',
});

const count = z.int().nonnegative();

const answers = z.object({
  yes: count.meta({ description: 'Instances that report yes.' }),
  no: count.meta({ description: 'Instances that report no.' }),
  unknown: count.meta({ description: 'Instances that do not report it.' }),
});

const limit = z.object({
  reporting: count.meta({ description: 'Instances that report it.' }),
  least: z.number().nullable().meta({ description: 'Minimum; null when none reports it.' }),
  median: z.number().nullable().meta({ description: 'Lower median; null when none reports it.' }),
  most: z.number().nullable().meta({ description: 'Maximum; null when none reports it.' }),
});

export const Stats = z
  .object({
    generatedAt: GeneratedAt,
    instances: InstanceCounts.meta({
      description: 'Totals over the listed instances, each with the number of instances that report it.',
    }),
    population: Population.meta({ description: 'Estimated number of all instances, by capture-recapture.' }),
    registrationOpen: answers.meta({ description: 'Whether registration is open.' }),
    federation: answers.meta({ description: 'Whether federation is on.' }),
    features: z
      .object(byKey(FEATURES, ({ meta }) => answers.meta({ description: `${meaningOf(meta)}.` })))
      .meta({ description: 'Features offered.' }),
    limits: z
      .object(byKey(LIMITS, ({ meta }) => limit.meta({ description: `${meaningOf(meta)}.` })))
      .meta({ description: 'Limits, in megabytes, seconds and characters.' }),
    hosting: StatsPoint.shape.hosting,
    optOuts: OptOuts,
    domains: DomainCounts.meta({ description: 'Totals over the known domains.' }),
    reasons: z
      .array(
        z.object({
          reason: Reason.meta({ description: 'Reason of the last visit.' }),
          domains: count.meta({ description: 'Known domains whose last visit ended with it.' }),
        }),
      )
      .meta({
        description:
          'Domains whose last visit did not identify them (`unidentified`, `unreachable`, `declined`), by its reason, the most frequent first.',
      }),
  })
  .meta({ id: 'Stats' });
export type Stats = z.infer<typeof Stats>;
