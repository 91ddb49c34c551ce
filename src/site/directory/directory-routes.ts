import type { Filter } from '../../directory/browse/choice.ts';
import { withFilter } from '../../directory/browse/choice.ts';
import { PageError } from '../error-page.ts';
import type { SiteContext, SitePage, SiteRequest } from '../site-page.ts';
import { FACET_PATHS, type Place, placeFrom, START } from './choice-url.ts';
import type { CrawlNews } from './crawl-notice.ts';
import { directoryPage } from './directory-page.ts';
import { directoryView, joinable } from './directory-view.ts';
import { findOthers } from './other-domains.ts';

type StartOf = (request: SiteRequest) => Place;

const startWith = (filter: Filter): Place => ({ ...START, choice: withFilter(START.choice, filter) });

/** The path of the first page of each list, with the place that it shows. */
const LISTS: readonly (readonly [path: string, start: StartOf])[] = [
  ['/', () => START],
  ['/table', () => ({ ...START, view: 'table' })],
  ...FACET_PATHS.map(({ path, filter }) => [`/${path}`, () => startWith(filter)] as const),
  [
    '/country/{country}',
    ({ parameters }) => startWith({ key: 'country', value: (parameters.country ?? '').toUpperCase() }),
  ],
  ['/version/{version}', ({ parameters }) => startWith({ key: 'version', value: parameters.version ?? '' })],
];

function list(path: string, start: StartOf): SitePage {
  return {
    path,
    answer(request, context, site) {
      const { directory } = context;
      const page = Number(request.parameters.page ?? 1);
      const place = placeFrom(request.query, { ...start(request), page });
      const view = directoryView(directory.snapshot(), place, site.mode);
      if (view === null || !Number.isSafeInteger(page) || page < 1) throw new PageError(404, site.words.errors.noPage);
      return directoryPage(view, site, { news: newsOf(context), others: findOthers(place, context) });
    },
  };
}

/** What the crawler does, for a directory that is new or offline. */
function newsOf({ status, directory, now }: SiteContext): CrawlNews {
  const { crawl, backlog, visits } = status();
  const { domains } = directory.domainTotals().counts;
  return {
    at: now(),
    phase: crawl?.phase ?? null,
    offlineSince: crawl?.offlineSince ?? null,
    waiting: backlog?.new.due ?? null,
    domains,
    visitsLastHour: visits?.total ?? null,
  };
}

/** Redirects to a random instance that anybody can join. */
const join: SitePage = {
  path: '/join',
  answer(_request, { directory, random }: SiteContext, site) {
    const open = joinable(directory.snapshot());
    const chosen = open[Math.floor(random() * open.length)];
    if (chosen === undefined) throw new PageError(404, site.words.errors.noneOpen);
    return { location: chosen.entry.url, cacheControl: 'no-store' };
  },
};

export const directoryRoutes: readonly SitePage[] = [
  ...LISTS.flatMap(([path, start]) => [list(path, start), list(`${path === '/' ? '' : path}/page/{page}`, start)]),
  join,
];
