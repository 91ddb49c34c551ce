import { growthOf } from '../../directory/growth.ts';
import { trendsViewOf } from '../../directory/trends.ts';
import { aboutPage } from '../about/about-page.ts';
import { addPage } from '../add/add-page.ts';
import { OUR_BRAND } from '../brand.ts';
import { checkOffPage } from '../check/check-page.ts';
import { dataPage } from '../data/data-page.ts';
import { directoryFiles } from '../directory/directory-files.ts';
import { errorPage } from '../error-page.ts';
import { instanceFiles } from '../instance/instance-files.ts';
import { publishedSite } from '../site.ts';
import { robotsText, sitemapText } from '../sitemap.ts';
import { hostingPage } from '../stats/hosting-page.ts';
import { moversPage } from '../stats/movers-page.ts';
import { MEASURES, statsCsv } from '../stats/stats-csv.ts';
import { statsPage } from '../stats/stats-page.ts';
import { pageFile, type StaticContext, type StaticFile } from './static-file.ts';

/** The generators of the files of the static site. Add one for a new kind of page here. */
const FILES: readonly ((context: StaticContext) => Iterable<StaticFile>)[] = [
  directoryFiles,
  instanceFiles,
  statsFiles,
  aboutFiles,
  dataFiles,
  formFiles,
  sharedFiles,
];

/** Every file of the static site, apart from the exported files. */
export function* staticFiles(context: StaticContext): Iterable<StaticFile> {
  const pages: string[] = [];
  for (const files of FILES) {
    for (const file of files(context)) {
      if (file.path.endsWith('index.html')) pages.push(`/${file.path.slice(0, -'index.html'.length)}`);
      yield file;
    }
  }
  const { base } = context;
  yield { path: 'robots.txt', body: () => robotsText(base) };
  if (base !== null) yield { path: 'sitemap.xml', body: () => sitemapText(base, pages) };
}

function* sharedFiles({ snapshot, base, brand = OUR_BRAND }: StaticContext): Iterable<StaticFile> {
  for (const { file, bytes } of new Set(Object.values(brand.assets)))
    yield { path: `assets/${file}`, body: () => bytes };
  // A web host shows this page at any path, so its links must be absolute.
  if (base !== null) {
    const site = publishedSite({ path: '', at: snapshot.lastVisitAt, base, brand });
    yield { path: '404.html', body: () => errorPage({ status: 404, detail: null }, site) };
  }
}

function* statsFiles(context: StaticContext): Iterable<StaticFile> {
  const { snapshot, history } = context;
  for (const measure of MEASURES) yield { path: `stats/${measure}.csv`, body: () => statsCsv(history, measure) };
  yield pageFile('/movers/', context, (site) => moversPage(growthOf(snapshot), snapshot.counts.instances, site));
  yield pageFile('/hosting/', context, (site) => hostingPage(trendsViewOf(context), site));
  yield pageFile('/stats/', context, (site) => statsPage(trendsViewOf(context), site));
}

function* aboutFiles(context: StaticContext): Iterable<StaticFile> {
  const { about, domainTotals } = context;
  const view = { about, optOuts: domainTotals.optOutCount, canCheck: false };
  yield pageFile('/about', context, (site) => aboutPage(view, site));
}

function* dataFiles(context: StaticContext): Iterable<StaticFile> {
  const { data: folder, about } = context;
  yield pageFile('/data', context, (site) => dataPage({ folder, contact: about.contact }, site));
}

/** The pages that stand for those of a running service, unless `site.liveUrl` names one. */
function* formFiles(context: StaticContext): Iterable<StaticFile> {
  const { contact } = context.about;
  if ((context.brand?.liveUrl ?? null) !== null) return;
  yield pageFile('/add/', context, (site) => addPage({ domain: '', problem: null, contact }, site));
  yield pageFile('/check/', context, checkOffPage);
}
