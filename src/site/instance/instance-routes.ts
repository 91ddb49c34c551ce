import { storedDomain } from '../../model/domain/domain.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { MAX_CHANGES, readInstance } from '../../views/instance/instance-view.ts';
import { PageError } from '../page-error.ts';
import type { SitePage, SiteRequest } from '../site-page.ts';
import { instanceBadge } from './instance-badge.ts';
import { instanceFeed } from './instance-feed.ts';
import { instancePage } from './instance-page.ts';

const SVG = 'image/svg+xml';
const ATOM = 'application/atom+xml; charset=utf-8';

const page: SitePage = {
  path: '/instances/{domain}',
  source: () => null,
  answer(request, { directory, reader, check, now }, site) {
    const domain = domainOf(request);
    const view = readInstance(domain, { reader, snapshot: directory.snapshot(), now: now() });
    // The other page explains why a domain is not listed.
    if (view === null) return { location: site.links.domain(encodeURIComponent(domain)) };
    return instancePage({ ...view, canCheck: check !== null }, { ...site, base: site.base ?? request.origin });
  },
};

const feed: SitePage = {
  path: '/instances/{domain}/feed.atom',
  source: () => null,
  answer(request, { directory, reader }, { words, links }) {
    const domain = domainOf(request);
    const record = reader.find(domain);
    if (record === null || !record.wasEverLoops || !mayBePublished(record)) {
      throw new PageError(404, words.instance.notListed);
    }
    const body = instanceFeed(
      {
        domain,
        name: directory.snapshot().byDomain.get(domain)?.entry.name ?? null,
        changes: reader.domainChangesPage(domain, { before: null, limit: MAX_CHANGES }),
        page: `${request.origin}${links.instance(domain)}`,
      },
      words,
    );
    return { type: ATOM, body };
  },
};

const badge: SitePage = {
  path: '/instances/{domain}/badge.svg',
  source: ({ directory }) => directory.snapshot(),
  answer(request, { directory }, { words }) {
    const listed = directory.snapshot().byDomain.get(domainOf(request));
    if (listed === undefined) throw new PageError(404, words.instance.notListed);
    return { type: SVG, body: instanceBadge(listed.entry, words) };
  },
};

export const instanceRoutes: readonly SitePage[] = [page, feed, badge];

function domainOf({ parameters }: SiteRequest) {
  return storedDomain(parameters.domain ?? '');
}
