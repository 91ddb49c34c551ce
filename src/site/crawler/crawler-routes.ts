import { sourceResults } from '../../directory/source-results.ts';
import type { SitePage } from '../site-page.ts';
import { crawlerPage } from './crawler-page.ts';

const REFRESH_SECONDS = 30;
/** What the crawler does now. */
const crawler: SitePage = {
  path: '/crawler',
  answer({ query }, context, site) {
    const [snapshot, domainTotals] = [context.directory.snapshot(), context.directory.domainTotals()];
    const refreshSeconds = query.get('refresh') === 'off' ? null : REFRESH_SECONDS;
    const body = crawlerPage(
      {
        ...{ at: context.now(), status: context.status(), refreshSeconds },
        sources: sourceResults(context.reader, snapshot),
        recordedVisits: context.reader.visits.lastId(),
        domains: domainTotals.counts.domains,
        newest: snapshot.newest,
      },
      site,
    );
    return { body, cacheControl: 'no-cache', refreshSeconds };
  },
};

export const crawlerRoutes: readonly SitePage[] = [crawler];
