import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { About } from '../../directory/about.ts';
import { countDomains } from '../../directory/count-domains.ts';
import { readStatsHistory } from '../../directory/history/stats-history.ts';
import { readSnapshot } from '../../directory/snapshot.ts';
import { readDataFolder } from '../../export/files/data-folder.ts';
import { MANIFEST } from '../../export/files/exported-files.ts';
import { type FolderReport, writeFolder } from '../../export/files/write-folder.ts';
import type { Settings } from '../../settings/schema.ts';
import { createBrand } from '../../site/brand.ts';
import { DATA_TIME } from '../../site/static/static-file.ts';
import { staticFiles } from '../../site/static/static-site.ts';
import type { StoreReader } from '../../store/store-reader.ts';

export interface SiteInput {
  /** The folder of the site. */
  dir: string;
  /** Where the site will be published, without a final slash; null when unknown. */
  base: string | null;
  about: About;
  /** The settings of the pages. */
  pages: Settings['site'];
}

interface SiteOptions extends SiteInput {
  /** A reader on the snapshot that was exported. */
  reader: StoreReader;
  at: number;
  exported: { readonly dir: string; readonly files: readonly { readonly name: string; readonly sha256: string }[] };
  signal: AbortSignal;
}

/**
 * Writes the pages as a static site, with copies of all exported files.
 *
 * @throws {FolderInUseError} {ExportError}
 */
export async function writeSite({
  dir,
  base,
  about,
  pages,
  reader,
  at,
  exported,
  signal,
}: SiteOptions): Promise<FolderReport> {
  const common = { reader, at, clock: () => performance.now(), signal };
  const snapshot = await readSnapshot({ ...common, previous: null });
  const domainTotals = await countDomains(common);
  const history = await readStatsHistory(common);
  const data = readDataFolder(exported.dir);
  const copies = [...exported.files, ...(data?.dated ?? [])].map(({ name, sha256 }) => ({
    ...{ path: name, copyOf: join(exported.dir, name), sha256 },
  }));
  const manifest = { path: MANIFEST, body: () => readFileSync(join(exported.dir, MANIFEST)) };
  const brand = createBrand(pages);
  const rendered = staticFiles({ snapshot, domainTotals, history, about, data, reader, base, brand });
  return await writeFolder({ dir, files: [...copies, manifest, ...rendered], ignore: DATA_TIME, signal });
}
