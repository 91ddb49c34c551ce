import { z } from 'zod';
import { InstanceFacts } from '../../record/facts/instance-facts.ts';
import { noted } from './noted.ts';
import { Time } from './time.ts';

const { users, activeMonth, activeHalfyear, posts } = InstanceFacts.shape.usage.shape;

/** One row of the tables of usage. */
export const UsageLine = z
  .object({
    domain: noted(z.string().describe('Domain of the instance; sort key, before `at`.'), { source: 'Loopscout' }),
    at: noted(Time.describe('Start of the last visit of that day (UTC) that read any count.'), { source: 'Loopscout' }),
    users: noted(users.describe('Accounts, as reported; null when unknown.'), { unit: 'accounts' }),
    activeMonth: noted(activeMonth.describe('Accounts active in the last 30 days, as reported; null when unknown.'), {
      unit: 'accounts',
    }),
    activeHalfyear: noted(
      activeHalfyear.describe('Accounts active in the last 180 days, as reported; null when unknown.'),
      { unit: 'accounts' },
    ),
    posts: noted(posts.describe('Local posts, as reported; null when unknown.'), { unit: 'posts' }),
  })
  .meta({
    title: 'usage',
    description:
      'One row of usage/YYYY-MM: the last counts that were read of an instance on a day (UTC) of that month.',
  });
noted(UsageLine, { source: 'NodeInfo `usage`' });
export type UsageLine = z.infer<typeof UsageLine>;
