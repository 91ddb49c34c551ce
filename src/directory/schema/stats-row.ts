import { z } from 'zod';
import { FACT_LEAVES, type FactPath, HOSTING_LEAVES } from '../../model/facts/fact-leaves.ts';
import { addCodebookNotes } from './fields.ts';
import { count, StatsDay } from './reported-series.ts';

const FACTS = [...HOSTING_LEAVES, ...FACT_LEAVES]
  .filter(({ meta }) => meta.statistics !== undefined)
  .map(({ path }) => path);

/** What a row of the statistics measures: a fact, by its path in `instances.json`, or a total. */
export const Measure = z.enum(['instances', 'status', ...FACTS] satisfies (FactPath | 'instances' | 'status')[]);
export type Measure = z.infer<typeof Measure>;

/** One row of `stats.csv`. */
export const StatsRow = z
  .object({
    date: StatsDay,
    measure: addCodebookNotes(
      Measure.describe(
        'What is measured: `instances`, the listed instances; `status`, whether they are up; any other measure is a fact, by its path in instances.json.',
      ),
      { source: 'Loopscout' },
    ),
    key: z
      .string()
      .nullable()
      .describe(
        'What `value` is. `total`: the number of instances, or the sum of a count. `implausible`: instances left out of that sum. `least`, `median`, `most`: smallest, lower median and largest value. Any other key is an answer (`yes`, `no`), a status or a name (a version, mode, country or network), and `value` is the number of instances with it; null for all names other than the 20 most common of the day.',
      ),
    value: addCodebookNotes(
      z
        .int()
        .nonnegative()
        .nullable()
        .describe('The value; null when no instance reports the measure and the value is not a number of instances.'),
      { unit: 'instances, or the unit of the fact' },
    ),
    reporting: count('Listed instances that report the measure, without those with an implausible count.'),
    total: count('Listed instances on that day.'),
  })
  .meta({
    title: 'stats.csv',
    description:
      'One row of stats.csv: one value of the statistics over time in stats.json. There is one row per day, measure and key, sorted by these; a missing name (a version, mode, country or network) was that of no instance, or is not among the 20 most common.',
  });
addCodebookNotes(StatsRow, { source: 'history of the instances' });
export type StatsRow = z.infer<typeof StatsRow>;
