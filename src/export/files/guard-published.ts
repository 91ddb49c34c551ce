import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Time } from '../../directory/schema/fields.ts';
import { type Domain, storedDomain } from '../../model/domain/domain.ts';

/** The published state, as far as the guard needs it. */
export interface Published {
  /** The listed instances. */
  instances: ReadonlySet<Domain>;
  /** Instances that recently left the directory, and when, ISO 8601 in UTC. */
  departed: readonly { domain: Domain; at: string }[];
  /** ISO 8601 in UTC; null when it cannot be read. */
  generatedAt: string | null;
  /** The last visit in the database when the files were made; null without any visit, undefined in older files without this field. */
  lastVisit: { id: number; at: string } | null | undefined;
}

/** Valid for any schema version: only the fields that the guard reads. */
const AnyManifest = z.object({
  generatedAt: Time.nullable().catch(null),
  lastVisit: z.object({ id: z.int(), at: z.string() }).nullish().catch(undefined),
  departed: z.array(z.object({ domain: z.string(), at: Time })).catch([]),
});

/** Match, in `instances.json`, the number of instances and the domain in the line of an instance. */
const COUNT = /"counts":\{"instances":(\d+)/;
const ENTRY = /^\{"domain":"([^"]+)"/;

/** Null when nothing readable was published yet. */
export async function readPublished(dir: string): Promise<Published | null> {
  const manifest = await readManifest(dir);
  const instances = await readListed(dir);
  if (manifest === null && instances.size === 0) return null;
  const { generatedAt, lastVisit, departed } = manifest ?? NOTHING;
  const known = departed.flatMap(({ domain, at }) => domainsIn(domain).map((name) => ({ domain: name, at })));
  return { instances, departed: known, generatedAt, lastVisit };
}

const NOTHING: z.infer<typeof AnyManifest> = { generatedAt: null, lastVisit: undefined, departed: [] };

async function readManifest(dir: string): Promise<z.infer<typeof AnyManifest> | null> {
  try {
    return AnyManifest.parse(JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')));
  } catch {
    return null;
  }
}

/** From `instances.json`; if that is missing or damaged, from `domains.txt` too. */
async function readListed(dir: string): Promise<ReadonlySet<Domain>> {
  const listed = new Set<Domain>();
  let count: number | null = null;
  for await (const line of linesOf(join(dir, 'instances.json'))) {
    count ??= numberIn(COUNT.exec(line));
    for (const domain of domainsIn(ENTRY.exec(line)?.[1])) listed.add(domain);
  }
  if (listed.size === count) return listed;
  for await (const line of linesOf(join(dir, 'domains.txt'))) for (const domain of domainsIn(line)) listed.add(domain);
  return listed;
}

/** The lines of a file, as far as it can be read. */
async function* linesOf(path: string): AsyncIterable<string> {
  try {
    await using handle = await open(path, 'r');
    yield* handle.readLines();
  } catch {
    // Keeps the part read so far.
  }
}

function numberIn(match: RegExpExecArray | null): number | null {
  return match === null ? null : Number(match[1]);
}

/** The domain, or nothing if the text is not one and was therefore not written by an export. */
function domainsIn(name: string | undefined): Domain[] {
  try {
    return name === undefined ? [] : [storedDomain(name)];
  } catch {
    return [];
  }
}
