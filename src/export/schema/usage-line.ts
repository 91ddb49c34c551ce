import { z } from 'zod';
import { addCodebookNotes, Time } from '../../directory/schema/fields.ts';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';

const usage = InstanceFacts.shape.usage.omit({ asOf: true });

export const UsageLine = z
  .object({
    domain: addCodebookNotes(
      z.string().describe('Domain of the instance. Rows are sorted by `domain`, then by `visitedAt`.'),
      {
        source: 'Loopscout',
      },
    ),
    visitedAt: addCodebookNotes(Time.describe('Start of the last visit of that day (UTC) that read any count.'), {
      source: 'Loopscout',
    }),
    ...usage.shape,
    missing: addCodebookNotes(
      z
        .array(z.string())
        .describe(
          'Why counts are unknown: COUNT=CODE for each, such as `posts=not-reported`; empty when all are known.',
        ),
      { source: 'Loopscout' },
    ),
  })
  .meta({
    title: 'usage',
    description: 'One row of usage/YYYY-MM: the last counts read from an instance on one day (UTC) of that month.',
  });
addCodebookNotes(UsageLine, { source: 'NodeInfo `usage`' });
export type UsageLine = z.infer<typeof UsageLine>;
