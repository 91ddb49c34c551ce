import { z } from 'zod';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { Time, withCodebookNotes } from '../../views/schema/fields.ts';

const usage = InstanceFacts.shape.usage.omit({ asOf: true });

export const UsageLine = z
  .object({
    domain: withCodebookNotes(z.string().describe('Domain of the instance; sort key, before `at`.'), {
      source: 'Loopscout',
    }),
    at: withCodebookNotes(Time.describe('Start of the last visit of that day (UTC) that read any count.'), {
      source: 'Loopscout',
    }),
    ...usage.shape,
  })
  .meta({
    title: 'usage',
    description:
      'One row of usage/YYYY-MM: the last counts that were read of an instance on a day (UTC) of that month.',
  });
withCodebookNotes(UsageLine, { source: 'NodeInfo `usage`' });
export type UsageLine = z.infer<typeof UsageLine>;
