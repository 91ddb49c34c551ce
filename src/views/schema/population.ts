import { z } from 'zod';
import { noted } from './fields.ts';
import { count } from './reported-series.ts';

const sourceName = (which: string) =>
  z
    .string()
    .describe(
      `${which} source of the pair: its type and its number in this database, such as \`file-3\`. Paths and addresses are not published.`,
    );

/** How many instances there are, known or not. */
export const Population = z
  .object({
    known: count('Listed instances.'),
    atLeast: noted(
      z
        .int()
        .nonnegative()
        .nullable()
        .describe(
          'There are at least this many, known or not: the lower end of the 95 % interval of Chao2 (Chao 1987; Chao and Chiu 2016) with the factor (m-1)/m for m sources, rounded down, and never below `known`; null with fewer than two sources.',
        ),
      { unit: 'instances' },
    ),
    sources: noted(
      z
        .int()
        .nonnegative()
        .describe(
          'Sources of candidates that were in the settings and switched on, and have ever listed at least one of the instances. Hosts found by crawling are no source, since they depend on the others.',
        ),
      { unit: 'sources' },
    ),
    listedBy: z
      .object({
        none: count('Listed instances that no source lists: they were submitted, or found by crawling.'),
        one: count('Those that exactly one source lists.'),
        two: count('Those that exactly two sources list.'),
        more: count('Those that more sources list.'),
      })
      .describe('How many sources list how many of the listed instances.'),
    overlap: z
      .array(
        z.object({
          first: sourceName('First'),
          second: sourceName('Second'),
          firstLists: count('Listed instances that the first source has ever listed.'),
          secondLists: count('Listed instances that the second source has ever listed.'),
          both: count('Listed instances that both have.'),
        }),
      )
      .describe(
        'Every pair of the sources, sorted by name. A source that copies another has most entries in common with it.',
      ),
    words: z.string().describe('The same in a sentence of English.'),
    assumption: z.string().describe('What the estimate assumes, and its error where that is wrong.'),
  })
  .describe('How many instances there are in all, by capture-recapture.');
noted(Population, { source: 'overlap of the sources' });
export type Population = z.infer<typeof Population>;
