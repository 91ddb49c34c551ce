import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Domain, storedDomain } from '../../model/domain/domain.ts';
import { Time } from '../../views/schema/fields.ts';

/** What the published files say of themselves, as far as the guard needs it. */
export interface Published {
  /** The listed instances. */
  instances: ReadonlySet<Domain>;
  /** What left the directory lately, and when, ISO 8601 in UTC. */
  departed: readonly { domain: Domain; at: string }[];
  /** ISO 8601 in UTC; null when it cannot be read. */
  generatedAt: string | null;
  /** Of the database that they were made from; null when there was no visit, undefined of files from before that was told. */
  lastVisit: { id: number; at: string } | null | undefined;
}

/** Of any schema version: only what the guard reads. */
const AnyManifest = z.object({
  generatedAt: Time.nullable().catch(null),
  lastVisit: z.object({ id: z.int(), at: z.string() }).nullish().catch(undefined),
  departed: z.array(z.object({ domain: z.string(), at: Time })).catch([]),
});

/** Where the counts stand in `instances.json`, and where an instance has its name. */
const COUNT = /"counts":\{"instances":(\d+)/;
const ENTRY = /^\{"domain":"([^"]+)"/;

/** Null when nothing was published yet, or nothing that can be read. */
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

/** From `instances.json`; where that is lost or spoilt, from `domains.txt` too. */
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

/** None of a file that cannot be read. */
async function* linesOf(path: string): AsyncIterable<string> {
  try {
    await using handle = await open(path, 'r');
    yield* handle.readLines();
  } catch {
    // What was read by then is all there is.
  }
}

function numberIn(match: RegExpExecArray | null): number | null {
  return match === null ? null : Number(match[1]);
}

/** One or none: what is no domain was not written by us. */
function domainsIn(name: string | undefined): Domain[] {
  try {
    return name === undefined ? [] : [storedDomain(name)];
  } catch {
    return [];
  }
}
