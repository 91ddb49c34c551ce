import type { Tallies } from './dataset/dataset.ts';
import { type Chunk, GENERATED_AT } from './file/chunk.ts';
import type { Manifest, ManifestFile } from './schema/manifest.ts';
import { SCHEMA_VERSION } from './schema/schema-version.ts';

/** The text of `manifest.json`, indented for people; its schema names every field. */
export function* manifestText(toolVersion: string, tallies: Tallies, files: ManifestFile[]): Iterable<Chunk> {
  const { instances, up, down } = tallies.instances.counts;
  const rest: Omit<Manifest, 'schemaVersion' | 'generatedAt'> = {
    tool: { name: 'loopscout', version: toolVersion },
    counts: { instances, up, down, ...tallies.domains.counts },
    files,
  };
  yield `{\n  "schemaVersion": ${SCHEMA_VERSION},\n  "generatedAt": "`;
  yield GENERATED_AT;
  yield `",\n${JSON.stringify(rest, null, 2).slice(2)}\n`;
}
