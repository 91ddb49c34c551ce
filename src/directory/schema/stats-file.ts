import { z } from 'zod';
import { byKey, COUNTS, FEATURES, HOSTING_NAMES, LIMITS } from '../../model/facts/fact-leaves.ts';
import { addCodebookNotes, SCHEMA_VERSION, Time } from './fields.ts';
import { Population } from './population.ts';
import { answered, count, named, StatsDay, spread, summed } from './reported-series.ts';

/** The number of opt-outs, the only published information about them. */
export const OptOuts = addCodebookNotes(
  z
    .int()
    .nonnegative()
    .describe(
      'Hosts whose owners have opted out. They appear nowhere else and are never named. One opt-out counts once, with everything it covers, such as the host with `www.` or at another port.',
    ),
  { unit: 'hosts', source: 'opt-outs' },
);

const CARRIED_NOTE = 'Counts were last read on that day or in the six days before.';

/** One day of `stats.json`. */
export const StatsPoint = z
  .object({
    day: StatsDay,
    instances: count('Listed instances: the m in "n of m report this".'),
    up: count('Listed instances that are not down.'),
    down: count('Listed instances in the state `failing`: at least two visits in a row have failed.'),
    usage: z
      .object(byKey(COUNTS, ({ meta }) => summed(`${meta.meaning}.`, meta.unit ?? '')))
      .describe(`Counts, as the instances report them. ${CARRIED_NOTE}`),
    versions: named('Software versions, as the instances report them.'),
    hosting: z
      .object(byKey(HOSTING_NAMES, ({ meta }) => named(`${meta.meaning}.`)))
      .describe(
        'Where the instances are. One whose country or network is unknown does not count as reporting. Past days hold what the databases of the crawler say now about the addresses of then, so they change with the databases.',
      ),
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
addCodebookNotes(StatsPoint, { source: 'history of the instances' });
export type StatsPoint = z.infer<typeof StatsPoint>;

/** `stats.json`. */
export const StatsFile = z
  .object({
    schemaVersion: addCodebookNotes(z.literal(SCHEMA_VERSION).describe('Version of this shape.'), { unit: 'none' }),
    generatedAt: Time.describe('When this file was written. It is rewritten only when something else in it changes.'),
    optOuts: OptOuts,
    population: Population,
    points: z
      .array(StatsPoint)
      .describe(
        'One point per day, oldest first and without gaps, from the day on which the first instance was listed. Past days are computed from the stored changes of facts; domains that have since opted out, or ask not to be published, are left out.',
      ),
  })
  .meta({
    title: 'stats.json',
    description:
      'The estimated number of instances, and the listed instances over time: totals, versions, features and limits, each with the number of instances that report it.',
  });
addCodebookNotes(StatsFile, { source: 'Loopscout' });
export type StatsFile = z.infer<typeof StatsFile>;
