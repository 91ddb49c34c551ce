import type { CrawlerStatus } from '../../views/crawler-status.ts';
import { sourceResults } from '../../views/source-results.ts';
import type { SiteContext, SitePage } from '../site-page.ts';
import { crawlerPage } from './crawler-page.ts';

const REFRESH_SECONDS = 30;
/** Counting the backlog queries the database, so all requests within this time share one status. */
const CACHE_MS = 5_000;

/** The last status of each context, and when it was read. */
const statuses = new WeakMap<SiteContext, { readonly at: number; readonly status: CrawlerStatus }>();

function currentStatus(context: SiteContext): { readonly at: number; readonly status: CrawlerStatus } {
  const at = context.now();
  const last = statuses.get(context);
  if (last !== undefined && at - last.at < CACHE_MS && at >= last.at) return last;
  const next = { at, status: context.status() };
  statuses.set(context, next);
  return next;
}

/** What the crawler does now. */
const crawler: SitePage = {
  path: '/crawler',
  answer({ query }, context, site) {
    const { at, status } = currentStatus(context);
    const [snapshot, survey] = [context.directory.snapshot(), context.directory.survey()];
    const refreshSeconds = query.get('refresh') === 'off' ? null : REFRESH_SECONDS;
    const body = crawlerPage(
      {
        ...{ at, status, refreshSeconds },
        sources: sourceResults(context.reader, snapshot),
        recordedVisits: context.reader.lastVisitId(),
        domains: survey.counts.domains,
        newest: snapshot.newest,
      },
      site,
    );
    return { body, cacheControl: 'no-cache', refreshSeconds };
  },
};

export const crawlerRoutes: readonly SitePage[] = [crawler];
