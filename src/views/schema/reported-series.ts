import { z } from 'zod';
import { noted } from './fields.ts';

export const count = (what: string) => noted(z.int().nonnegative().describe(what), { unit: 'instances' });
const reporting = count('How many of the listed instances report it: the others are unknown, not zero and not "no".');

/** A count added up over the instances that report it. */
export const summed = (what: string, unit: string) =>
  z
    .object({
      total: noted(
        z.number().nonnegative().nullable().describe('Sum over those that report it; null when none does.'),
        {
          unit,
        },
      ),
      reporting,
    })
    .describe(what);

/** A yes or no of each instance. */
export const answered = (what: string) =>
  z.object({ yes: count('Instances that say yes.'), no: count('Instances that say no.'), reporting }).describe(what);

/** A number of each instance. */
export const spread = (what: string, unit: string) => {
  const value = (which: string) =>
    noted(z.int().nonnegative().nullable().describe(`${which} of those that report it; null when none does.`), {
      unit,
    });
  return z
    .object({ least: value('Smallest'), median: value('Lower median'), most: value('Largest'), reporting })
    .describe(what);
};

/** A word of each instance, the commonest first. */
export const named = (what: string) =>
  z
    .object({
      commonest: z
        .array(z.object({ name: z.string().describe('The word.'), instances: count('Instances that say it.') }))
        .describe('The 20 commonest, by count and then by name in the order of its UTF-16 code units.'),
      others: count('Instances that say something that is not among the commonest.'),
      reporting,
    })
    .describe(what);
