import type { z } from 'zod';
import type { InstanceCounts } from '../schema/instance-counts.ts';
import { SCHEMA_VERSION } from '../schema/schema-version.ts';
import { ReadError } from './read-error.ts';
import { AnyVersion, ReadableEntry, ReadableInstances, type ReadInstance } from './readable-instances.ts';

/** What an `instances.json` says. */
export interface ParsedInstances {
  readonly generatedAt: string;
  readonly counts: InstanceCounts;
  readonly instances: readonly ReadInstance[];
  /** Entries that are left out, since they are none. */
  readonly skipped: number;
}

/**
 * Takes the text of an `instances.json` apart. An entry that is odd costs nothing but itself; a file in which all of them are is none.
 *
 * @param source what to call it in an error.
 * @throws {ReadError} when it is none, or one of another `schemaVersion`.
 */
export function parseInstances(text: string, source: string): ParsedInstances {
  const document = parseJson(text, source);
  const version = AnyVersion.safeParse(document).data?.schemaVersion;
  if (version === undefined)
    throw new ReadError(source, 'not-instances', 'it has no schemaVersion, so it is no instances.json');
  if (version !== SCHEMA_VERSION) {
    const cure = version > SCHEMA_VERSION ? 'update this package' : 'it was written by a version too old for this one';
    throw new ReadError(
      source,
      'other-schema',
      `its schemaVersion is ${version}, and this reads ${SCHEMA_VERSION}; ${cure}`,
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
    throw new ReadError(source, 'not-json', 'it is no JSON, or only the beginning of it', { cause });
  }
}

function firstFault({ issues }: z.ZodError, place = ''): string {
  const [issue] = issues;
  const where = [place, ...(issue?.path ?? [])].map(String).filter(Boolean).join('.') || 'the whole';
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more faults)` : '';
  return `it is no instances.json: ${where}: ${issue?.message}${more}`;
}
