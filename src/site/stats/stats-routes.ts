import { trendsViewOf } from '../../directory/trends.ts';
import type { SitePage } from '../site-page.ts';
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

export const statsRoutes: readonly SitePage[] = [stats];
