import semver from 'semver';
import { z } from 'zod';
import { MEASURES } from '../../directory/measures.ts';
import { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import { Sort } from '../../directory/sort-instances.ts';
import { FEATURES } from '../../model/facts/fact-leaves.ts';
import { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { LENGTHS } from '../../model/text/clean-text.ts';
import { Cursor } from './cursor.ts';
import { wholeNumber, wholeNumberOr, wordList } from './parameters.ts';

const keysOf = <Shape extends object>(shape: Shape) => Object.keys(shape) as (keyof Shape & string)[];
export type Field = keyof InstanceEntry;

const bound = (description: string) =>
  wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: `${description} Excludes unknown values and implausible counts.` });

const bounds = Object.fromEntries(
  MEASURES.flatMap(({ key, meaning }) => [
    [`${key}.min`, bound(`${meaning}: at least this.`)],
    [`${key}.max`, bound(`${meaning}: at most this.`)],
  ]),
) as Record<`${(typeof MEASURES)[number]['key']}.${'min' | 'max'}`, ReturnType<typeof bound>>;

const MAX_SEARCH_LENGTH = 100;
/** Maximum characters: ranges up to this length parse quickly. */
const MAX_RANGE_LENGTH = 100;

const isRange = (text: string) => semver.validRange(text, { loose: true }) !== null;

export const InstancesQuery = z.strictObject({
  q: z
    .string()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .meta({ description: 'Text that the domain or the name must contain, in upper or lower case.' }),
  version: z
    .string()
    .min(1)
    .max(MAX_RANGE_LENGTH, { abort: true })
    .refine(isRange, 'a range of versions such as `>=1.2.0 <2` or `1.x`')
    .optional()
    .meta({
      description:
        'Version range in npm syntax: `>=1.2.0 <2`, `^1.2`, `1.x`. Includes prereleases; excludes versions that are not semantic versions.',
    }),
  country: z
    .string()
    .regex(/^(?:[A-Za-z]{2}|unknown)$/, 'a country code of two letters such as `DE`, or `unknown`')
    .optional()
    .meta({ description: 'Country of the address, ISO 3166-1 alpha-2, or `unknown`.' }),
  network: z.string().min(1).max(LENGTHS.name).optional().meta({
    description:
      'Network of the address: its AS number such as `24940` or `AS24940`, or its whole name in upper or lower case, or `unknown`.',
  }),
  open: z
    .enum(['true', 'false', 'unknown'])
    .optional()
    .meta({ description: 'Whether registration is open, or whether that is unknown.' }),
  feature: wordList(FEATURES.filter(({ meta }) => meta.filter === 'feature').map(({ key }) => key))
    .optional()
    .meta({ description: 'Features that must all be offered.' }),
  status: z.enum(['up', 'down']).optional().meta({
    description: 'Whether it was up at the last visit; `down` also when its address is not public.',
  }),
  joinable: z.enum(['true', 'false']).optional().meta({ description: 'Whether newcomers can be sent to it.' }),
  flag: wordList(InstanceFlag.options).optional().meta({ description: 'Flags that must all be set.' }),
  withoutFlag: wordList(InstanceFlag.options).optional().meta({ description: 'Flags that must all be unset.' }),
  ...bounds,
  sort: Sort.default('domain').meta({
    description:
      'Sort key; a leading `-` puts the largest first. Unknown values, implausible counts and versions that are not semantic versions come last; equal values are sorted by domain.',
  }),
  fields: wordList(keysOf(InstanceEntry.shape))
    .optional()
    .meta({ description: 'Fields to include per instance; `domain` is always included. Default: all.' }),
  limit: wholeNumberOr(100, 1, 500).meta({ description: 'Maximum instances per page.' }),
  cursor: Cursor,
});
export type InstancesQuery = z.output<typeof InstancesQuery>;
