import type { About } from '../../directory/about.ts';
import type { Months } from '../../export/bulk/stage-months.ts';
import { deletePublished, type ExportReport, exportAll } from '../../export/export-all.ts';
import { isOutOfSpace } from '../../export/export-error.ts';
import { guardPublished } from '../../export/files/guard.ts';
import { type FileSystem, fileSystem } from '../../export/files/temporary-files.ts';
import { emptyFolder } from '../../export/files/write-folder.ts';
import type { Publication } from '../../export/publication.ts';
import { DAY_MS, type EpochMs } from '../../model/time.ts';
import { openStore } from '../../store/open-store.ts';
import { VERSION } from '../../version.ts';
import type { SiteInput } from './write-site.ts';

export interface ExportInput {
  database: string;
  dir: string;
  /** When the export began: the time of the datasets, unless a visit in them began later. */
  at: EpochMs;
  flags: { crowdedFrom: number; staleDays: number };
  publication: Publication;
  /** The crawler, whose sampling is published with the data. */
  about: About;
  /** How long visits are stored, in days. */
  visitsDays: number;
  /** Which months of visits and usage to write. */
  months: Months;
  /** The guard refuses an export from which more than this percentage of the listed instances would disappear. */
  maxDropPercent: number;
  /** Skips the guard. */
  force: boolean;
  /** Whether the published files may name hosts that opted out since. */
  mustPurge: boolean;
  /** The static site to write; null: none. */
  site: SiteInput | null;
}

/**
 * Writes the datasets of a database, and the static site. When there is no space to write them without a host that opted out, deletes the
 * published files that can be made again, which may make the space: an opt-out counts for more than the files do.
 *
 * @throws {GuardError} when the guard refuses, for example because too many instances would disappear.
 * @throws {ExportError} when a file cannot be written.
 */
export async function writeDatasets(
  input: ExportInput,
  signal: AbortSignal,
  fs: FileSystem = fileSystem,
): Promise<ExportReport> {
  const { database, dir, at, flags, publication, about, visitsDays, months, maxDropPercent, force, mustPurge, site } =
    input;
  await using store = await openStore({ path: database, readOnly: true });
  using reader = store.reader({ snapshot: true, flags });
  const lastVisit = reader.visits.last();
  // A visit that began since the start of the export is in the snapshot.
  const snapshotAt = Math.max(at, lastVisit?.at ?? at);
  const departed = force ? [] : await guardPublished({ dir, database: reader, at: snapshotAt, maxDropPercent });
  const visitsKeptSince = snapshotAt - visitsDays * DAY_MS;
  const now = () => snapshotAt;
  const common = {
    source: reader,
    visitsKeptSince,
    dir,
    now,
    toolVersion: VERSION,
    publication,
    about,
    lastVisit,
    months,
    departed,
    signal,
    fs,
  };
  const write = async (): Promise<ExportReport> => {
    // With `force`, the database may be another one, whose requests the dated files do not respect yet.
    const report = await exportAll({ ...common, mustCheckHistory: force });
    if (site === null) return report;
    // Most crawls write no site, and its modules take 0.1 s to load.
    const { writeSite } = await import('./write-site.ts');
    return { ...report, site: await writeSite({ ...site, reader, at: snapshotAt, exported: report, signal }) };
  };
  try {
    return await write();
  } catch (error) {
    if (!(mustPurge && isOutOfSpace(error))) throw error;
    await deletePublished(dir);
    if (site !== null) emptyFolder(site.dir);
    return await write();
  }
}
