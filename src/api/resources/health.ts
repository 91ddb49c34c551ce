import { z } from 'zod';
import { Worker } from '../../directory/worker.ts';

const lateness = z.object({ due: z.number(), lateSeconds: z.number().nullable() });

/** The fields of the crawler's health that the API uses; others are returned unchanged. */
export interface HealthStatus {
  status: 'ok' | 'degraded' | 'failing';
  problems?: readonly string[];
  warnings?: readonly string[];
  /** Only when the service crawls. */
  backlog?: Readonly<Record<string, z.infer<typeof lateness>>>;
  visits?: { readonly byVerdict: Readonly<Record<string, number>> };
  workers?: readonly Worker[];
}

export const Health = z
  .looseObject({
    status: z.enum(['ok', 'degraded', 'failing']).meta({
      description:
        '`degraded`: only sources, or the check for a new release, fail; `failing`: another part of this service does not work.',
    }),
    problems: z.array(z.string()).optional().meta({ description: 'The problems, one sentence each.' }),
    warnings: z.array(z.string()).optional().meta({
      description:
        'What needs the operator although the service works, such as listed instances that refuse its requests.',
    }),
    workers: z.array(Worker).optional().meta({
      description: 'The workers seen in the last 30 days; missing when there were none.',
    }),
  })
  .meta({ id: 'Health', description: 'Health of the service; further fields depend on how it was started.' });
