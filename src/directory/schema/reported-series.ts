import { z } from 'zod';
import { addCodebookNotes, Day } from './fields.ts';

/** The day of a row or point of the statistics. */
export const StatsDay = addCodebookNotes(
  Day.describe(
    'The day (UTC). Values are as of its end; on the last day, as of now. A day without visits repeats the day before: `sampling` in manifest.json has the gaps and the last visit.',
  ),
  { source: 'Loopscout' },
);

export const count = (what: string) => addCodebookNotes(z.int().nonnegative().describe(what), { unit: 'instances' });
const reporting = count('Listed instances that report it: the others are unknown, not zero and not "no".');

/** The sum of a count over the instances that report a plausible one. */
export const summed = (what: string, unit: string) =>
  z
    .object({
      total: addCodebookNotes(
        z.int().nonnegative().nullable().describe('Sum over `reporting` instances; null when there are none.'),
        {
          unit,
        },
      ),
      reporting: count(
        'Listed instances whose count is in the total: the others are unknown, not zero, or implausible.',
      ),
      implausible: count(
        'Listed instances that report it, but are left out of the total: they have the flag `counts-absurd` or `counts-random`.',
      ),
    })
    .describe(what);

/** A yes or no per instance. */
export const answered = (what: string) =>
  z
    .object({ yes: count('Instances that report yes.'), no: count('Instances that report no.'), reporting })
    .describe(what);

/** A number per instance. */
export const spread = (what: string, unit: string) => {
  const value = (which: string) =>
    addCodebookNotes(z.int().nonnegative().nullable().describe(`${which} value reported; null when none is.`), {
      unit,
    });
  return z
    .object({ least: value('Smallest'), median: value('Lower median'), most: value('Largest'), reporting })
    .describe(what);
};

/** A word per instance, the most common first. */
export const named = (what: string) =>
  z
    .object({
      commonest: z
        .array(z.object({ name: z.string().describe('The word.'), instances: count('Instances that report it.') }))
        .describe('The 20 most common, by count, then by name in the order of UTF-16 code units.'),
      others: count('Instances that report another word.'),
      reporting,
    })
    .describe(what);
