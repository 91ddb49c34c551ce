import { z } from 'zod';
import { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import { GeneratedAt } from './stats.ts';

export const Instance = InstanceEntry.meta({ id: 'Instance' });

export const InstanceList = z
  .object({
    generatedAt: GeneratedAt,
    total: z.int().nonnegative().meta({ description: 'Instances that match the filters, on all pages.' }),
    instances: z
      .array(InstanceEntry.partial().required({ domain: true }))
      .meta({ description: 'Instances on this page, with every field unless `fields` selects some.' }),
    next: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last page.' }),
  })
  .meta({ id: 'InstanceList' });
