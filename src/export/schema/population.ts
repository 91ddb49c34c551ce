import { z } from 'zod';
import { noted } from './noted.ts';
import { count } from './reported-series.ts';

const known = (what: string) => noted(z.int().nonnegative().nullable().describe(what), { unit: 'instances' });

/** How many instances there are, known or not, as far as that can be told. */
export const Population = z
  .object({
    known: count('Listed instances.'),
    estimate: known(
      'About how many there are in all, known or not: the estimate of Chao (1989) from how many instances several sources list, near copies taken as one; with fewer than seven of them on several, `words` says that it is not to be relied upon (Robson and Regier 1964); null when fewer than two sources list any, or no two list the same.',
    ),
    low: known(
      'Lower end of the 95 % interval of the estimate, by the exact bounds of the number that two sources list (Garwood 1936); null when there is no estimate.',
    ),
    high: known('Upper end of the 95 % interval of the estimate; null when there is no estimate.'),
    sources: noted(
      z
        .int()
        .nonnegative()
        .describe(
          'Sources of candidates that were in the settings and switched on, and have ever listed at least one of them. What we came upon while crawling is none, since it depends on the others.',
        ),
      { unit: 'sources' },
    ),
    nearCopies: noted(
      z
        .int()
        .nonnegative()
        .optional()
        .describe(
          'How many of `sources` count as one with another: one of the two lists hardly anything (a tenth of it at most) that the other does not, and on what third sources list they agree more than independent ones would. 0 when there is none; missing in files of before this was looked for.',
        ),
      { unit: 'sources' },
    ),
    listedBy: z
      .object({
        none: count('Listed instances that no source lists: they were submitted, or come upon while crawling.'),
        one: count('Those that exactly one source lists.'),
        two: count('Those that exactly two sources list.'),
        more: count('Those that more sources list.'),
      })
      .describe('How many sources list how many of the listed instances.'),
    sourcesAgree: z
      .boolean()
      .nullable()
      .describe(
        'Whether the estimate stands when any one of the sources is left out, in that the intervals overlap, and no two sources agree more or less than chance would have it on what third ones list (Fisher’s exact test, 5 % over all pairs). Near copies are one source in this. Where it is false, sources depend on one another, and the estimate is not to be relied upon. That it is true is no proof: what all sources have in common cannot be seen; null when fewer than three sources list any, or nothing can be told without one.',
      ),
    words: z.string().describe('The same in a sentence of English.'),
    assumptions: z
      .array(z.string())
      .describe('What the estimate takes for granted, and what follows where it is wrong.'),
  })
  .describe('How many instances there are in all, by capture-recapture.');
noted(Population, { source: 'overlap of the sources' });
export type Population = z.infer<typeof Population>;
