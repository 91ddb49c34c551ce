import { z } from 'zod';
import { SCHEMA_VERSION } from '../../directory/schema/fields.ts';
import { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import { type InstanceCounts, InstancesFile } from '../../directory/schema/instances-file.ts';
import { isDomain } from '../../model/domain/domain.ts';
import { InstanceFlag } from '../../model/facts/instance-facts.ts';
import { withUnknowns } from '../../model/facts/with-unknowns.ts';
import { Via } from '../../model/verdict.ts';
import { ReadError } from './read-error.ts';

/** A word of an open vocabulary: a word unknown to this version becomes null. */
const wordOf = <Word extends string>(words: z.ZodType<Word>) =>
  z
    .string()
    .nullable()
    .transform((word) => words.safeParse(word).data ?? null);

const Entry = InstanceEntry.extend({
  joinable: InstanceEntry.shape.joinable.nullable(),
  domain: z.string().refine(isDomain, 'Invalid input: expected a host name, with a port or without'),
  via: wordOf(Via),
  status: wordOf(InstanceEntry.shape.status),
  flags: z
    .array(z.string())
    .transform((words) => words.filter((word): word is InstanceFlag => InstanceFlag.safeParse(word).success)),
});

/** An entry of `instances.json` as returned to a reader; words unknown to this version are null, unknown flags are left out. */
export interface ReadInstance extends Omit<InstanceEntry, 'status' | 'joinable'> {
  status: InstanceEntry['status'] | null;
  /** Null in files that were written before it was published. */
  joinable: boolean | null;
}

/**
 * An entry of `instances.json` within one `schemaVersion`: fields of later versions are dropped, missing nullable fields of
 * earlier versions are null. Its domain is a host name and its `url` belongs to that host, so it is safe to link to.
 */
const ReadableEntry = z.preprocess(
  (value) => withUnknowns(Entry, value),
  Entry.refine(({ domain, url }) => url === `https://${domain}`, {
    path: ['url'],
    error: 'Invalid input: expected https:// and the domain',
  }),
);

/** `instances.json` with unvalidated entries. */
const ReadableInstances = InstancesFile.extend({ instances: z.array(z.unknown()) });

/** Read first, to check whether the rest is supported. */
const AnyVersion = z.object({ schemaVersion: z.int() });

export interface ParsedInstances {
  readonly generatedAt: string;
  readonly counts: InstanceCounts;
  readonly instances: readonly ReadInstance[];
  /** Number of invalid entries, which are left out. */
  readonly skipped: number;
}

/**
 * Parses an `instances.json`. Invalid entries are left out; a file with only invalid entries is refused.
 *
 * @param source name for error messages.
 * @throws {ReadError} when it is not an `instances.json`, or has another `schemaVersion`.
 */
export function parseInstances(text: string, source: string): ParsedInstances {
  const document = parseJson(text, source);
  const version = AnyVersion.safeParse(document).data?.schemaVersion;
  if (version === undefined)
    throw new ReadError(source, 'not-instances', 'it has no schemaVersion, so it is not an instances.json');
  if (version !== SCHEMA_VERSION) {
    const cure = version > SCHEMA_VERSION ? 'update this package' : 'it was written by a version too old for this one';
    throw new ReadError(
      source,
      'other-schema',
      `its schemaVersion is ${version}, but this version reads ${SCHEMA_VERSION}; ${cure}`,
    );
  }
  const { data, error } = ReadableInstances.safeParse(document);
  if (data === undefined) throw new ReadError(source, 'not-instances', firstFault(error), { cause: error });
  const { generatedAt, counts } = data;
  return { generatedAt, counts, ...parseEntries(data.instances, source) };
}

function parseEntries(entries: readonly unknown[], source: string): Pick<ParsedInstances, 'instances' | 'skipped'> {
  const instances: ReadInstance[] = [];
  let first: { place: string; error: z.ZodError } | null = null;
  for (const [index, entry] of entries.entries()) {
    const { data, error } = ReadableEntry.safeParse(entry);
    if (data !== undefined) instances.push(data);
    else first ??= { place: `instances.${index}`, error };
  }
  if (instances.length === 0 && first !== null) {
    const { place, error } = first;
    throw new ReadError(source, 'not-instances', firstFault(error, place), { cause: error });
  }
  return { instances, skipped: entries.length - instances.length };
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ReadError(source, 'not-json', 'it is not JSON, or incomplete', { cause });
  }
}

function firstFault({ issues }: z.ZodError, place = ''): string {
  const [issue] = issues;
  const where = [place, ...(issue?.path ?? [])].map(String).filter(Boolean).join('.') || 'the document';
  const others = issues.length - 1;
  const more = others > 0 ? ` (and ${others} more ${others === 1 ? 'error' : 'errors'})` : '';
  return `it is not an instances.json: ${where}: ${issue?.message}${more}`;
}
