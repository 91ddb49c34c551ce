import { z } from 'zod';
import { namesHost } from '../../domain/names-host.ts';
import { InstanceFlag } from '../../record/instance-flag.ts';
import { Via } from '../../record/verdict.ts';
import { InstanceEntry } from '../schema/instance-entry.ts';
import { InstancesFile } from '../schema/instances-file.ts';
import { withUnknowns } from './with-unknowns.ts';

/** A word of a vocabulary that grows: one that this version does not know is unknown, and costs nothing but itself. */
const wordOf = <Word extends string>(words: z.ZodType<Word>) =>
  z
    .string()
    .nullable()
    .transform((word) => words.safeParse(word).data ?? null);

const Entry = InstanceEntry.extend({
  domain: z.string().refine(namesHost, 'Invalid input: expected a host name, with a port or without'),
  via: wordOf(Via),
  status: wordOf(InstanceEntry.shape.status),
  flags: z
    .array(z.string())
    .transform((words) => words.filter((word): word is InstanceFlag => InstanceFlag.safeParse(word).success)),
}).refine(({ domain, url }) => url === `https://${domain}`, {
  path: ['url'],
  error: 'Invalid input: expected https:// and the domain',
});

/** An entry of `instances.json` as a reader has it: what this version has no word for is null. */
export interface ReadInstance extends Omit<InstanceEntry, 'status'> {
  status: InstanceEntry['status'] | null;
}

/**
 * An entry of `instances.json` as a reader takes it, within one `schemaVersion`: fields that a later version adds are left out, those
 * that an earlier one did not have are null. Its domain is a host name and its `url` no other, so that it can be linked to.
 */
export const ReadableEntry = z.preprocess((value) => withUnknowns(InstanceEntry, value), Entry);

/** `instances.json` without judging its entries. */
export const ReadableInstances = InstancesFile.extend({ instances: z.array(z.unknown()) });

/** Read before anything else of the file: it says whether the rest can be understood. */
export const AnyVersion = z.object({ schemaVersion: z.int() });
