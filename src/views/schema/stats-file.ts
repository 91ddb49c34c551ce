import { z } from 'zod';
import { byKey, COUNTS, FEATURES, LIMITS } from '../../model/facts/fact-leaves.ts';
import { Day, noted, SCHEMA_VERSION, Time } from './fields.ts';
import { Population } from './population.ts';
import { answered, count, named, spread, summed } from './reported-series.ts';

/** How many owners asked to be left alone: the one thing that is ever told of them. */
export const OptOuts = noted(
  z
    .int()
    .nonnegative()
    .describe(
      'Hosts whose owners have opted out. They are in nothing else that is published, and are never named; what one opt-out covers, such as the same host with `www.` or at another port, counts once.',
    ),
  { unit: 'hosts', source: 'opt-outs' },
);

const HELD = 'Counts are those last read on that day or in the six days before.';

/** One day of `stats.json`. */
export const StatsPoint = z
  .object({
    day: noted(
      Day.describe('The day (UTC); what follows is as it was at its end, and of the last day, as it is now.'),
      {
        source: 'Loopscout',
      },
    ),
    instances: count('Listed instances: the m of every "n of m report this".'),
    up: count('Listed instances that are not down.'),
    down: count(
      'Listed instances in the state `failing`. `status` in instances.json is also `down` for one whose address was forbidden at its last visit: of that no history is kept.',
    ),
    usage: z
      .object(byKey(COUNTS, ({ meta }) => summed(`${meta.meaning}.`, meta.unit ?? '')))
      .describe(`Counts, as the instances report them. ${HELD}`),
    versions: named('Software versions, as the instances state them.'),
    registration: z
      .object({ open: answered('Whether registration is switched on.'), mode: named('Registration modes.') })
      .describe('Who can join.'),
    federation: answered('Whether federation is switched on.'),
    features: z
      .object(byKey(FEATURES, ({ meta }) => answered(`${meta.meaning}.`)))
      .describe('What the instances offer.'),
    limits: z
      .object(byKey(LIMITS, ({ meta }) => spread(`${meta.meaning}.`, meta.unit ?? '')))
      .describe('What the instances allow.'),
  })
  .describe('One day.');
noted(StatsPoint, { source: 'history of the instances' });
export type StatsPoint = z.infer<typeof StatsPoint>;

/** `stats.json`. */
export const StatsFile = z
  .object({
    schemaVersion: noted(z.literal(SCHEMA_VERSION).describe('Version of this shape.'), { unit: 'none' }),
    generatedAt: Time.describe('When this file was written; it is rewritten only when something else in it changes.'),
    optOuts: OptOuts,
    population: Population,
    points: z
      .array(StatsPoint)
      .describe(
        'One point a day, oldest first and without gaps, from the day on which the first instance was listed. Past days are worked out from the changes of facts, which are kept for ever; domains that have since opted out, or ask not to be published, are in none.',
      ),
  })
  .meta({
    title: 'stats.json',
    description:
      'How many instances there are in all, and the listed ones over time: totals, versions, features and limits, each with how many report it.',
  });
noted(StatsFile, { source: 'Loopscout' });
export type StatsFile = z.infer<typeof StatsFile>;
