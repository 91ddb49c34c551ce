import { z } from 'zod';
import { InstanceEntry } from '../../views/schema/instance-entry.ts';
import { GeneratedAt } from './stats.ts';

export const Instance = InstanceEntry.meta({ id: 'Instance' });

/** A page of the directory. */
export const InstanceList = z
  .object({
    generatedAt: GeneratedAt,
    total: z.int().nonnegative().meta({ description: 'Listed instances that are as asked for, on all pages.' }),
    instances: z
      .array(InstanceEntry.partial().required({ domain: true }))
      .meta({ description: 'Those of this page; with every field, unless `fields` names some.' }),
    next: z.string().nullable().meta({ description: '`cursor` of the next page; null when this is the last.' }),
  })
  .meta({ id: 'InstanceList' });
