import { html } from 'ghtml';
import { facetPath } from './directory/choice-url.ts';
import { facetsOf } from './directory/directory-files.ts';
import { PRIVATE, type SitePage } from './site-page.ts';

/** Maximum number of URLs in a sitemap, by its specification. */
const MAX_URLS = 50_000;

/**
 * `sitemap.xml`, with only the first page of each list: the content of the further pages changes daily with the order.
 *
 * @param base origin and folder of the site, without a final slash.
 * @param paths of all pages.
 */
export function sitemapText(base: string, paths: readonly string[]): string {
  const stable = paths.filter((path) => !path.includes('/page/')).slice(0, MAX_URLS);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${stable.map((path) => html`<url><loc>${base}${encodeURI(path)}</loc></url>`).join('\n')}
</urlset>
`;
}

/** `robots.txt`: search engines may read everything except the API, the random redirect (`/join`) and the checks, which contact other servers. */
export function robotsText(base: string | null): string {
  const sitemap = base === null ? '' : `\nSitemap: ${base}/sitemap.xml\n`;
  return `User-agent: *\nDisallow: /check\nDisallow: /add?\nDisallow: /revisit\nDisallow: /join\nDisallow: /api/v1/\n${sitemap}`;
}

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
