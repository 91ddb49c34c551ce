import type { Tallies } from './dataset/dataset.ts';
import { type Chunk, GENERATED_AT } from './file/chunk.ts';
import { isoTime } from './iso-time.ts';
import type { Departure, Manifest, ManifestFile } from './schema/manifest.ts';
import { SCHEMA_VERSION } from './schema/schema-version.ts';

export interface ManifestContent {
  readonly toolVersion: string;
  readonly tallies: Tallies;
  readonly lastVisit: { readonly id: number; readonly at: number } | null | undefined;
  readonly departed: readonly Departure[];
  readonly files: ManifestFile[];
}

/** The text of `manifest.json`, indented for people; its schema names every field. */
export function* manifestText({ toolVersion, tallies, lastVisit, departed, files }: ManifestContent): Iterable<Chunk> {
  const { instances, up, down } = tallies.instances.counts;
  const rest: Omit<Manifest, 'schemaVersion' | 'generatedAt'> = {
    tool: { name: 'loopscout', version: toolVersion },
    counts: { instances, up, down, ...tallies.domains.counts },
    ...(lastVisit !== undefined && { lastVisit: lastVisit && { id: lastVisit.id, at: isoTime(lastVisit.at) } }),
    ...(departed.length > 0 && { departed: [...departed] }),
    files,
  };
  yield `{\n  "schemaVersion": ${SCHEMA_VERSION},\n  "generatedAt": "`;
  yield GENERATED_AT;
  yield `",\n${JSON.stringify(rest, null, 2).slice(2)}\n`;
}
