import { growthOf } from '../../directory/growth.ts';
import { trendsViewOf } from '../../directory/trends.ts';
import { PageError } from '../page-error.ts';
import type { SitePage } from '../site-page.ts';
import { moversPage } from './movers-page.ts';
import { MEASURES, statsCsv } from './stats-csv.ts';
import { statsPage } from './stats-page.ts';

const stats: SitePage = {
  path: '/stats',
  answer(_request, { directory }, site) {
    const view = trendsViewOf({
      snapshot: directory.snapshot(),
      domainTotals: directory.domainTotals(),
      history: directory.history(),
    });
    return statsPage(view, site);
  },
};

/** The values of one chart. */
const csv: SitePage = {
  path: '/stats/{file}',
  answer({ parameters }, { directory }, site) {
    const measure = MEASURES.find((one) => `${one}.csv` === parameters.file);
    if (measure === undefined) throw new PageError(404, site.words.errors.noPage);
    return { type: 'text/csv; charset=utf-8', body: statsCsv(directory.history(), measure) };
  },
};

/** Which servers grew most. */
const movers: SitePage = {
  path: '/movers',
  answer(_request, { directory }, site) {
    const snapshot = directory.snapshot();
    return moversPage(growthOf(snapshot), snapshot.counts.instances, site);
  },
};

export const statsRoutes: readonly SitePage[] = [stats, movers, csv];
