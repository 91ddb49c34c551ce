import semver from 'semver';
import { z } from 'zod';
import { FEATURES } from '../../model/facts/fact-leaves.ts';
import { InstanceFlag, meaningOf } from '../../model/facts/instance-facts.ts';
import { InstanceEntry } from '../../views/schema/instance-entry.ts';
import { RANGES } from '../../views/select-instances.ts';
import { Sort } from '../../views/sort-instances.ts';
import { Cursor } from './cursor.ts';
import { wholeNumber, wholeNumberOr, wordList } from './parameters.ts';

const keysOf = <Shape extends object>(shape: Shape) => Object.keys(shape) as (keyof Shape & string)[];
export type Field = keyof InstanceEntry;

const bound = (description: string) =>
  wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: `${description} Unknown ones are left out.` });

const bounds = Object.fromEntries(
  RANGES.flatMap(({ key, meta }) => [
    [`${key}.min`, bound(`${meaningOf(meta)}: at least this.`)],
    [`${key}.max`, bound('The same: at most this.')],
  ]),
) as Record<`${(typeof RANGES)[number]['key']}.${'min' | 'max'}`, ReturnType<typeof bound>>;

/** Every text of at most so many characters is read at once. */
const LONGEST_RANGE = 100;

const isRange = (text: string) => semver.validRange(text, { loose: true }) !== null;

/** What `/api/v1/instances` can be asked. */
export const InstancesQuery = z.strictObject({
  version: z
    .string()
    .min(1)
    .max(LONGEST_RANGE, { abort: true })
    .refine(isRange, 'a range of versions such as `>=1.2.0 <2` or `1.x`')
    .optional()
    .meta({ description: 'Range of versions, as npm writes it: `>=1.2.0 <2`, `^1.2`, `1.x`. Prereleases count.' }),
  open: z
    .enum(['true', 'false', 'unknown'])
    .optional()
    .meta({ description: 'Whether registration is open, or whether that is unknown.' }),
  feature: wordList(FEATURES.filter(({ meta }) => meta.filter === 'feature').map(({ key }) => key))
    .optional()
    .meta({ description: 'Features that are all offered.' }),
  status: z.enum(['up', 'down']).optional().meta({
    description:
      'Whether it was up at the last visit; `down` too when it could not be asked because its address is no public one.',
  }),
  flag: wordList(InstanceFlag.options).optional().meta({ description: 'Flags that are all set.' }),
  withoutFlag: wordList(InstanceFlag.options).optional().meta({ description: 'Flags none of which is set.' }),
  ...bounds,
  sort: Sort.default('domain').meta({
    description:
      'What to sort by; with `-` before it, the largest first. What is unknown comes last, equals by domain.',
  }),
  fields: wordList(keysOf(InstanceEntry.shape))
    .optional()
    .meta({ description: 'The fields wanted of each instance; `domain` is always among them. All, unless given.' }),
  limit: wholeNumberOr(100, 1, 500).meta({ description: 'Instances on a page.' }),
  cursor: Cursor,
});
export type InstancesQuery = z.output<typeof InstancesQuery>;
