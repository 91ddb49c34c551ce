import { traitsOf } from '../views/browse/traits.ts';
import { FACET_PATHS, facetPath } from './directory/choice-url.ts';
import type { SitePage } from './site-page.ts';
import { robotsText, sitemapText } from './sitemap.ts';

/** Pages that always exist. */
const PAGES = ['/', '/table/', '/stats', '/about', '/api'];

const robots: SitePage = {
  path: '/robots.txt',
  source: () => null,
  answer: ({ origin }) => ({ type: 'text/plain; charset=utf-8', body: robotsText(origin) }),
};

const sitemap: SitePage = {
  path: '/sitemap.xml',
  source: () => null,
  answer({ origin }, { directory }, { links }) {
    const snapshot = directory.snapshot();
    const versions = new Set([...traitsOf(snapshot).values()].map(({ version }) => version));
    const facets = [
      ...FACET_PATHS.map(({ path }) => path),
      ...[...versions].flatMap((value) => (value === null ? [] : (facetPath({ key: 'version', value }) ?? []))),
    ];
    const instances = snapshot.instances.map(({ entry }) => links.instance(entry.domain));
    const paths = [...PAGES, ...facets.map((path) => `/${path}/`), ...instances];
    return { type: 'application/xml; charset=utf-8', body: sitemapText(origin, paths) };
  },
};

/** What search engines read. */
export const robotsRoutes: readonly SitePage[] = [robots, sitemap];
