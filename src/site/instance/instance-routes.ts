import { MAX_CHANGES, readInstance } from '../../directory/instance/instance-view.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { offersOf } from '../check/check-buttons.ts';
import { parseEnteredDomain } from '../domain/parse-entered-domain.ts';
import { PageError } from '../error-page.ts';
import type { Site } from '../site.ts';
import { PRIVATE, type SiteContext, type SitePage, type SiteRequest } from '../site-page.ts';
import { instanceBadge, STYLES } from './instance-badge.ts';
import { instanceFeed } from './instance-feed.ts';
import { instancePage } from './instance-page.ts';
import { timelineCsv } from './timeline-csv.ts';

const SVG = 'image/svg+xml';
const ATOM = 'application/atom+xml; charset=utf-8';

const page: SitePage = {
  path: '/instances/{domain}',
  answer(request, context, site) {
    const { directory, reader, now } = context;
    const domain = domainOf(request, context, site);
    const view = readInstance(domain, { reader, snapshot: directory.snapshot(), now: now() });
    // The page of the domain explains why it is not listed.
    if (view === null) return { location: site.links.domain(encodeURIComponent(domain)) };
    const body = instancePage(
      { ...view, ...offersOf(context) },
      {
        ...site,
        path: site.links.instance(domain),
        base: site.base ?? request.origin,
      },
    );
    return { ...PRIVATE, body };
  },
};

const feed: SitePage = {
  path: '/instances/{domain}/feed.atom',
  answer(request, context, site) {
    const { directory, reader } = context;
    const { words, links } = site;
    const domain = domainOf(request, context, site);
    const record = reader.domains.find(domain);
    if (record === null || !record.wasEverLoops || !mayBePublished(record)) {
      throw new PageError(404, words.instance.notListed);
    }
    const body = instanceFeed(
      {
        domain,
        identifiedAs: record.identifiedAs,
        name: directory.snapshot().byDomain.get(domain)?.entry.name ?? null,
        changes: reader.changes.pageOf(domain, { before: null, limit: MAX_CHANGES }),
        page: `${request.origin}${links.instance(domain)}`,
      },
      words,
    );
    return { ...PRIVATE, type: ATOM, body };
  },
};

const badge: SitePage = {
  path: '/instances/{domain}/badge.svg',
  answer(request, context, site) {
    const listed = context.directory.snapshot().byDomain.get(domainOf(request, context, site));
    if (listed === undefined) throw new PageError(404, site.words.instance.notListed);
    const wanted = request.query.get('style') ?? 'flat';
    const style = STYLES.find((one) => one === wanted);
    if (style === undefined) throw new PageError(400, site.words.instance.badge.unknownStyle(STYLES.join(', ')));
    return { type: SVG, body: instanceBadge(listed.entry, style, site.words) };
  },
};

/** The values of the charts. */
const csv: SitePage = {
  path: '/instances/{domain}/timeline.csv',
  answer(request, context, site) {
    const domain = domainOf(request, context, site);
    const { directory, reader, now } = context;
    const view = readInstance(domain, { reader, snapshot: directory.snapshot(), now: now() });
    if (view === null) throw new PageError(404, site.words.instance.notListed);
    return { type: 'text/csv; charset=utf-8', body: timelineCsv(view.timeline) };
  },
};

export const instanceRoutes: readonly SitePage[] = [page, feed, badge, csv];

/** @throws {PageError} when the path names no domain. */
function domainOf({ parameters }: SiteRequest, context: SiteContext, { words }: Site) {
  const domain = parseEnteredDomain(parameters.domain ?? '', context);
  if (domain === null) throw new PageError(404, words.instance.notListed);
  return domain;
}
