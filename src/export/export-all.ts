import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { About } from '../directory/about.ts';
import { SCHEMA_VERSION, schemaPath } from '../directory/schema/fields.ts';
import type { InstanceCounts } from '../directory/schema/instances-file.ts';
import { jsonSchemaText } from '../directory/schema/json-schema-text.ts';
import type { IsHidden } from '../model/opt-outs/opted-out-references.ts';
import { type EpochMs, isoTime } from '../model/time.ts';
import type { StoreReader } from '../store/store-reader.ts';
import { partitioned } from './bulk/partitioned.ts';
import { type Months, stageMonths } from './bulk/stage-months.ts';
import { DATA_PACKAGE, dataPackageText } from './datasets/data-package.ts';
import { createTallies, type Tallies } from './datasets/dataset.ts';
import { datasets } from './datasets/datasets.ts';
import { withExportErrors } from './export-error.ts';
import { type Chunk, GENERATED_AT } from './files/blocks.ts';
import { MANIFEST } from './files/exported-files.ts';
import { prepareFolders } from './files/prepare-folders.ts';
import { readPublishedManifest } from './files/published-file.ts';
import { Staging } from './files/staging.ts';
import { type FileSystem, fileSystem } from './files/temporary-files.ts';
import type { FolderReport } from './files/write-folder.ts';
import { stageHistory } from './history/stage-history.ts';
import { type Publication, UNNAMED } from './publication.ts';
import type { Departure, Manifest, ManifestFile } from './schema/manifest.ts';
import { publishedSchemas } from './schema/published-schemas.ts';
import { type Sampling, samplingOf } from './schema/sampling.ts';

export interface ExportOptions {
  /**
   * A reader within one read transaction: the files are published as one set, and some rows are read twice. Only its `domains` contain
   * those that ask not to be published (`host.noindex`); the export hides them.
   */
  readonly source: StoreReader;
  /** Visits that began before this time may have been deleted. Default: none was. */
  readonly visitsKeptSince?: EpochMs;
  /** The export folder; created if missing. */
  readonly dir: string;
  /** Read once. */
  readonly now: () => EpochMs;
  readonly toolVersion: string;
  /** Default: without contact, licence and DOI. */
  readonly publication?: Publication;
  /** The crawler, whose sampling the manifest describes. Undefined: left out. */
  readonly about?: About;
  /** The last recorded visit, for the manifest; null when there is none. Undefined: left out of the manifest. */
  readonly lastVisit?: { readonly id: number; readonly at: number } | null;
  /** The months of visits and usage to write. Default: all. */
  readonly months?: Months;
  /** Instances that recently left the directory; an empty list is left out of the manifest. */
  readonly departed?: readonly Departure[];
  /** Checks all dated files for instances that must not be published, even without a new request. */
  readonly mustCheckHistory?: boolean;
  /** Aborting before the first rename leaves the published files unchanged and rejects with the signal's reason; later it has no effect. */
  readonly signal?: AbortSignal;
  readonly fs?: FileSystem;
}

export interface ExportReport {
  readonly dir: string;
  /** Time of the export, ISO 8601 in UTC; an unchanged file keeps its earlier time. */
  readonly generatedAt: string;
  readonly counts: Manifest['counts'];
  /** Known domains that ask not to be published; `counts` excludes them. */
  readonly notPublished: number;
  /** Users of the listed instances. */
  readonly users: InstanceCounts['users'];
  /** All files except the manifest, in the order of the manifest. */
  readonly files: readonly (ManifestFile & { readonly changed: boolean })[];
  /** Dated files that were damaged, hence removed. */
  readonly damaged: readonly string[];
  /** Whether any file was rewritten. */
  readonly changed: boolean;
  /** The static site, if one was written after the datasets. */
  readonly site?: FolderReport;
}

/**
 * Writes every dataset, its JSON Schema, the dated file of the day and, last, the manifest.
 *
 * Files are written atomically: all are first written completely next to their targets, then renamed one by one. A file whose
 * content is unchanged is not rewritten; a different `generatedAt` alone is no change.
 *
 * @throws {ExportError} when a file cannot be written.
 * @throws whatever reading the source throws.
 */
export async function exportAll(options: ExportOptions): Promise<ExportReport> {
  const { source, dir, now, toolVersion, publication = UNNAMED, about, lastVisit, months = 'all', signal } = options;
  const { visitsKeptSince = 0, departed = [], mustCheckHistory: mustCheck = false } = options;
  const at = now();
  const generatedAt = isoTime(at);
  const folders = await prepareFolders(dir);
  const published = readPublishedManifest(dir, MANIFEST);
  const staging = new Staging({ dir, generatedAt, fs: options.fs ?? fileSystem, signal, published });
  try {
    const tallies = createTallies();
    const files: ManifestFile[] = [];
    for (const dataset of datasets) {
      files.push(...(await staging.addAll(dataset.files, dataset.parts(source, tallies, { at, publication }))));
    }
    for (const { name, shape } of publishedSchemas) {
      files.push(await staging.add(schemaPath(name), null, [jsonSchemaText(name, shape)]));
    }
    // Published rows are too many to look each domain up in the database.
    const isHidden: IsHidden = (domain) => tallies.noindex.has(domain) || source.optOuts.has(domain);
    const history = await stageHistory({ staging, source, tallies, isHidden, dir, at, mustCheck });
    files.push(history.index);
    files.push(...(await staging.addAllCompressed(files.filter(({ name }) => !name.endsWith('.parquet')))));
    const monthsOf = { staging, source, visitsKeptSince, published, months, isHidden, dir, at };
    for (const dataset of partitioned) {
      files.push(...(await stageMonths(dataset, monthsOf)));
    }
    const released = tallies.lastVisit?.slice(0, 10) ?? null;
    const dataPackage = await staging.add(DATA_PACKAGE, null, dataPackageText({ publication, released, files }));
    files.push(dataPackage, ...(await staging.addAllCompressed([dataPackage])));
    const sampling = about && samplingOf(source, about);
    const content = { publication, toolVersion, tallies, lastVisit, sampling, departed, files };
    await staging.add(MANIFEST, null, manifestText(content));

    signal?.throwIfAborted();
    const changed = staging.changed();
    const { instances, up, down } = tallies.instances.counts;
    const report: ExportReport = {
      dir,
      generatedAt,
      counts: { instances, up, down, ...tallies.domains.counts },
      notPublished: tallies.noindex.size,
      users: tallies.instances.counts.users,
      files: files.map((file) => ({ ...file, changed: changed.has(file.name) })),
      damaged: history.damaged,
      changed: changed.size > 0,
    };
    staging.setListed(files.map(({ name }) => name));
    await staging.publish(folders);
    await history.removeOld();
    return report;
  } finally {
    await staging.discard();
  }
}

/**
 * Deletes the published files that the next export makes again. The manifest and the schemas, which name no instance of the directory, and
 * the dated files and months, which may be all that is left of their time, stay.
 *
 * @throws {ExportError} when a file cannot be deleted.
 */
export async function deletePublished(dir: string): Promise<void> {
  for (const name of readPublishedManifest(dir, MANIFEST)
    .names()
    .filter((one) => !one.includes('/')))
    await withExportErrors(join(dir, name), () => rm(join(dir, name), { force: true }));
}

interface ManifestContent {
  readonly publication: Publication;
  readonly toolVersion: string;
  readonly tallies: Tallies;
  readonly lastVisit: { readonly id: number; readonly at: number } | null | undefined;
  readonly sampling: Sampling | undefined;
  readonly departed: readonly Departure[];
  readonly files: ManifestFile[];
}

/** `manifest.json`, indented. */
function* manifestText({
  publication: { licence, doi },
  toolVersion,
  tallies,
  lastVisit,
  sampling,
  departed,
  files,
}: ManifestContent): Iterable<Chunk> {
  const { instances, up, down } = tallies.instances.counts;
  const otherFields: Omit<Manifest, 'schemaVersion' | 'generatedAt'> = {
    tool: { name: 'loopscout', version: toolVersion },
    ...(licence !== null && { licence }),
    ...(doi !== null && { doi }),
    counts: { instances, up, down, ...tallies.domains.counts },
    ...(lastVisit !== undefined && { lastVisit: lastVisit && { id: lastVisit.id, at: isoTime(lastVisit.at) } }),
    ...(sampling !== undefined && { sampling }),
    ...(departed.length > 0 && { departed: [...departed] }),
    files,
  };
  yield `{\n  "schemaVersion": ${SCHEMA_VERSION},\n  "generatedAt": "`;
  yield GENERATED_AT;
  yield `",\n${JSON.stringify(otherFields, null, 2).slice('{\n'.length)}\n`;
}
