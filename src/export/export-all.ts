import type { ExportSource } from '../views/export-source.ts';
import { isoTime } from '../views/formatting.ts';
import { SCHEMA_VERSION, schemaPath } from '../views/schema/fields.ts';
import { jsonSchemaText } from '../views/schema/json-schema-text.ts';
import { DomainTally, InstanceTally } from '../views/tallies.ts';
import { partitioned } from './bulk/partitioned.ts';
import { type Months, stageMonths } from './bulk/stage-months.ts';
import { createWithheldNames } from './bulk/withheld-names.ts';
import type { Tallies } from './datasets/dataset.ts';
import { datasets } from './datasets/datasets.ts';
import { type Chunk, GENERATED_AT } from './files/blocks.ts';
import { prepareFolders } from './files/prepare-folders.ts';
import { publishedManifest } from './files/published-file.ts';
import { Staging } from './files/staging.ts';
import { type FileSystem, fileSystem } from './files/temporary-files.ts';
import type { Departure, Manifest, ManifestFile } from './schema/manifest.ts';
import { publishedSchemas } from './schema/published-schemas.ts';

const MANIFEST = 'manifest.json';

export interface ExportOptions {
  readonly source: ExportSource;
  /** The export folder; made when it does not exist. */
  readonly dir: string;
  /** Clock, milliseconds since the epoch; read once. */
  readonly now: () => number;
  readonly toolVersion: string;
  /** Whose export it is: the address that the crawler names as its own. */
  readonly contact?: string;
  /** The last visit that was recorded, for the manifest; unsaid there when it is not given. */
  readonly lastVisit?: { readonly id: number; readonly at: number } | null;
  /** Which months of visits and usage are written; all unless given. */
  readonly months?: Months;
  /** What left the directory lately, for the manifest; unsaid there when it is not given, or nothing did. */
  readonly departed?: readonly Departure[];
  /** A past moment: every file tells it as its time, also one that says the same as before. */
  readonly isPast?: boolean;
  /** Aborting leaves the published files as they were, and the export rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly fs?: FileSystem;
}

/** What an export did. */
export interface ExportReport {
  readonly dir: string;
  /** When it was taken, ISO 8601 in UTC; a file that did not change keeps its earlier time. */
  readonly generatedAt: string;
  readonly counts: Manifest['counts'];
  /** Every file but the manifest, in its order. */
  readonly files: readonly (ManifestFile & { readonly changed: boolean })[];
  /** Whether any file was rewritten. */
  readonly changed: boolean;
}

/**
 * Writes every dataset, its JSON Schema and, last, the manifest.
 *
 * All files are first written in full beside their targets, then renamed one after the other: a failure before that
 * changes nothing, and a reader never sees a part of a file. A file that would say the same as before is not touched.
 *
 * @throws {ExportError} when a file cannot be written. What the source throws passes through.
 */
export async function exportAll(options: ExportOptions): Promise<ExportReport> {
  const { source, dir, now, toolVersion, contact = '', lastVisit, months = 'all', signal } = options;
  const { departed = [], isPast = false } = options;
  const at = now();
  const generatedAt = isoTime(at);
  const folders = await prepareFolders(dir);
  const published = publishedManifest(dir, MANIFEST);
  const staging = new Staging({ dir, generatedAt, isPast, fs: options.fs ?? fileSystem, signal, published });
  try {
    const tallies: Tallies = {
      domains: new DomainTally(),
      instances: new InstanceTally(),
      withheld: new Set(),
      lastVisit: null,
    };
    const files: ManifestFile[] = [];
    for (const { name, schema, chunks } of datasets) {
      files.push(await staging.add(name, schema, chunks(source, tallies, { at, contact })));
    }
    for (const { name, shape } of publishedSchemas) {
      files.push(await staging.add(schemaPath(name), null, [jsonSchemaText(name, shape)]));
    }
    for (const file of files.filter(({ name }) => !name.endsWith('.parquet'))) {
      const sibling = await staging.addCompressed(file);
      if (sibling !== null) files.push(sibling);
    }
    const withheld = createWithheldNames(tallies.withheld, source.optedOut);
    for (const dataset of partitioned) {
      files.push(...(await stageMonths(dataset, { staging, source, published, months, withheld, dir, at })));
    }
    await staging.add(MANIFEST, null, manifestText({ toolVersion, tallies, lastVisit, departed, files }));

    signal?.throwIfAborted();
    const changed = staging.changed();
    const { instances, up, down } = tallies.instances.counts;
    const report: ExportReport = {
      dir,
      generatedAt,
      counts: { instances, up, down, ...tallies.domains.counts },
      files: files.map((file) => ({ ...file, changed: changed.has(file.name) })),
      changed: changed.size > 0,
    };
    staging.list(files.map(({ name }) => name));
    await staging.publish(folders);
    return report;
  } finally {
    await staging.discard();
  }
}

interface ManifestContent {
  readonly toolVersion: string;
  readonly tallies: Tallies;
  readonly lastVisit: { readonly id: number; readonly at: number } | null | undefined;
  readonly departed: readonly Departure[];
  readonly files: ManifestFile[];
}

/** The text of `manifest.json`, indented for people; its schema names every field. */
function* manifestText({ toolVersion, tallies, lastVisit, departed, files }: ManifestContent): Iterable<Chunk> {
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
