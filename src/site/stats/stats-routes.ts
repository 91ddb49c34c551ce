import { growthOf } from '../../directory/growth.ts';
import { trendsViewOf } from '../../directory/trends.ts';
import { PageError } from '../error-page.ts';
import type { SiteContext, SitePage } from '../site-page.ts';
import { hostingPage } from './hosting-page.ts';
import { moversPage } from './movers-page.ts';
import { MEASURES, statsCsv } from './stats-csv.ts';
import { statsPage } from './stats-page.ts';

const trendsOf = ({ directory }: SiteContext) =>
  trendsViewOf({
    snapshot: directory.snapshot(),
    domainTotals: directory.domainTotals(),
    history: directory.history(),
  });

const stats: SitePage = {
  path: '/stats',
  answer: (_request, context, site) => statsPage(trendsOf(context), site),
};

/** In which countries and networks servers are. */
const hosting: SitePage = {
  path: '/hosting',
  answer: (_request, context, site) => hostingPage(trendsOf(context), site),
};

/** The values of one chart. */
const csv: SitePage = {
  path: '/stats/{file}',
  answer({ parameters }, { directory }, site) {
    const measure = MEASURES.find((one) => `${one}.csv` === parameters.file);
    if (measure === undefined) throw new PageError(404, site.words.errors.noMeasure);
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

export const statsRoutes: readonly SitePage[] = [stats, hosting, movers, csv];
