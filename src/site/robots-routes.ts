import { facetPath } from './directory/choice-url.ts';
import { facetsOf } from './directory/directory-files.ts';
import { PRIVATE, type SitePage } from './site-page.ts';
import { robotsText, sitemapText } from './sitemap.ts';

/** The pages in the sitemap that always exist. */
const FIXED_PATHS = ['/', '/table/', '/stats', '/movers', '/hosting', '/data', '/about', '/api'];

const robots: SitePage = {
  path: '/robots.txt',
  answer: ({ origin }) => ({ ...PRIVATE, type: 'text/plain; charset=utf-8', body: robotsText(origin) }),
};

const sitemap: SitePage = {
  path: '/sitemap.xml',
  answer({ origin }, { directory }, { links }) {
    const snapshot = directory.snapshot();
    const facets = facetsOf(snapshot).map((filter) => `/${facetPath(filter)}/`);
    const instances = snapshot.instances.map(({ entry }) => links.instance(entry.domain));
    const paths = [...FIXED_PATHS, ...facets, ...instances];
    return { ...PRIVATE, type: 'application/xml; charset=utf-8', body: sitemapText(origin, paths) };
  },
};

/** What search engines read before they crawl the pages. */
export const robotsRoutes: readonly SitePage[] = [robots, sitemap];
