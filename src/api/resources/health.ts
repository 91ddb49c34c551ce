import { z } from 'zod';

const lateness = z.object({ due: z.number(), lateSeconds: z.number().nullable() });

/** What the API needs of the health of the crawler; the rest goes out as it is. */
export interface Told {
  status: 'ok' | 'degraded' | 'failing';
  problems?: readonly string[];
  /** Of a service that crawls. */
  backlog?: Readonly<Record<string, z.infer<typeof lateness>>>;
  visits?: { readonly byVerdict: Readonly<Record<string, number>> };
}

/** How the service itself is. */
export const Health = z
  .looseObject({
    status: z.enum(['ok', 'degraded', 'failing']).meta({
      description:
        '`degraded`: something that is asked of others cannot be had; `failing`: something of ours does not work.',
    }),
    problems: z.array(z.string()).optional().meta({ description: 'What does not, one sentence each.' }),
  })
  .meta({ id: 'Health', description: 'How the service itself is; what else is told depends on how it was started.' });
