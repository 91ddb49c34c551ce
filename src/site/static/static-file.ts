import type { About } from '../../directory/about.ts';
import type { DomainTotals } from '../../directory/count-domains.ts';
import type { DataFolder } from '../../directory/data-folder.ts';
import type { StatsHistory } from '../../directory/history/stats-history.ts';
import type { Snapshot } from '../../directory/snapshot.ts';
import type { StoreReader } from '../../store/store-reader.ts';
import type { Brand } from '../brand.ts';
import { type Site, staticSite } from '../site.ts';

/** What static pages are made from: one state of the database. */
export interface StaticContext {
  readonly snapshot: Snapshot;
  readonly domainTotals: DomainTotals;
  readonly history: StatsHistory;
  readonly about: About;
  readonly data: DataFolder | null;
  /** A reader in the same transaction. */
  readonly reader: StoreReader;
  /** Default: that of a directory without a name of its own. */
  readonly brand?: Brand | undefined;
  /** Where the site will be published, without a final slash; null when unknown. */
  readonly base: string | null;
}

/** A file of the site; its content is rendered only when the file is written. */
export interface StaticFile {
  /** Relative to the folder of the site, with `/` as separator. */
  readonly path: string;
  readonly body: () => string | Buffer;
}

/** The file of a page. @param path of the page: `/`, `/instances/loops.example`, `/open/page/2/`. */
export function pageFile(
  path: string,
  { snapshot, base, brand }: StaticContext,
  render: (site: Site) => string,
): StaticFile {
  const folder = path.replaceAll(/^\/|\/$/g, '');
  const site = staticSite({ path: folder === '' ? '/' : `/${folder}/`, at: snapshot.lastVisitAt, base, brand });
  return { path: folder === '' ? 'index.html' : `${folder}/index.html`, body: () => render(site) };
}

/** The part of a page that changes with every export; see the footer of the layout. */
export const DATA_TIME = /<time class="data-time"[^>]*>[^<]*<\/time>/g;
