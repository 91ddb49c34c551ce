import { z } from 'zod';
import { addCodebookNotes } from './fields.ts';
import { count } from './reported-series.ts';

const sourceName = (which: string) =>
  z.string().describe(`${which} source of the pair, by its name in \`sources\` of manifest.json.`);

/** The estimated number of instances, known or not. */
export const Population = z
  .object({
    known: count('Listed instances.'),
    atLeast: addCodebookNotes(
      z
        .int()
        .nonnegative()
        .nullable()
        .describe(
          'Lower limit of the number of instances, known or not: the lower end of the 95 % confidence interval of Chao2 (Chao 1987; Chao and Chiu 2016) with the factor (m-1)/m for m sources, rounded down, and never below `known`; null with fewer than two sources, or when they overlap by chance only: when less than half of the entries of all sources name an instance that another source lists too (the sample coverage 1 - Q1/U of Good and Turing, with Q1 instances on one source and U entries).',
        ),
      { unit: 'instances' },
    ),
    sources: addCodebookNotes(
      z
        .int()
        .nonnegative()
        .describe(
          'Active sources that have ever listed at least one of the instances. A source that lists another name of an instance, such as a domain that redirects to it, lists the instance. Discovery by crawling is not a source, since it depends on the others.',
        ),
      { unit: 'sources' },
    ),
    listedBy: z
      .object({
        none: count(
          'Listed instances without an active source: submitted, found by crawling, or listed only by sources since removed or disabled.',
        ),
        one: count('Listed instances with exactly one active source.'),
        two: count('Listed instances with exactly two active sources.'),
        more: count('Listed instances with more active sources.'),
      })
      .describe('Listed instances by the number of active sources that have ever listed them.'),
    overlap: z
      .array(
        z.object({
          first: sourceName('First'),
          second: sourceName('Second'),
          firstLists: count('Listed instances that the first source has ever listed.'),
          secondLists: count('Listed instances that the second source has ever listed.'),
          both: count('Listed instances that both sources have listed.'),
        }),
      )
      .describe('Every pair of sources, sorted by name. A source that copies another shares most of its entries.'),
    words: z.string().describe('The same as an English sentence.'),
    assumption: z.string().describe('Assumption of the estimate, and its error when the assumption is wrong.'),
  })
  .describe('Estimated number of all instances, by capture-recapture.');
addCodebookNotes(Population, { source: 'overlap of the sources' });
export type Population = z.infer<typeof Population>;
