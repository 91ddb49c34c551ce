import { z } from 'zod';
import { InstanceFacts } from '../../model/facts/instance-facts.ts';
import { noted, Time } from '../../views/schema/fields.ts';

const usage = InstanceFacts.shape.usage.omit({ asOf: true });

export const UsageLine = z
  .object({
    domain: noted(z.string().describe('Domain of the instance; sort key, before `at`.'), { source: 'Loopscout' }),
    at: noted(Time.describe('Start of the last visit of that day (UTC) that read any count.'), { source: 'Loopscout' }),
    ...usage.shape,
  })
  .meta({
    title: 'usage',
    description:
      'One row of usage/YYYY-MM: the last counts that were read of an instance on a day (UTC) of that month.',
  });
noted(UsageLine, { source: 'NodeInfo `usage`' });
export type UsageLine = z.infer<typeof UsageLine>;
