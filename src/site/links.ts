import { ASSETS, type AssetName, type Assets } from './assets.ts';

export type Links = ReturnType<typeof createLinks>;

/**
 * The URLs of all pages and files. A live site lies at the root of its host; a static site in any folder, so its links are relative.
 *
 * @param page turns the path of a page, such as `/version/1.2.0/`, into a URL.
 * @param file does so with a file of the export, such as `feed.atom`, or a path of the API, such as `api/v1/stats`.
 */
function createLinks(
  page: (path: string) => string,
  file: (name: string) => string,
  assets: Assets,
  liveUrl: string | null = null,
) {
  return {
    /** The directory with a query such as `registration=open`; on a static site, only the script reads the query. */
    directory: (query = '') => page('/') + (query === '' ? '' : `?${query}`),
    instance: (domain: string) => page(`/instances/${domain}`),
    /** The page that explains why a domain is listed or not. */
    domain: (domain: string) => page(`/domains/${domain}`),
    check: (domain: string) => `${page('/check')}?domain=${encodeURIComponent(domain)}`,
    /** A static site links to the forms of `site.liveUrl`. */
    form: (path: '/check' | '/add', domain?: string) =>
      (liveUrl === null ? page(path) : liveUrl + path) +
      (domain === undefined ? '' : `?domain=${encodeURIComponent(domain)}`),
    /** Has the crawler visit a known domain. */
    revisit: (domain: string) => `${page('/revisit')}?domain=${encodeURIComponent(domain)}`,
    asset: (name: AssetName) => `${file(`assets/${assets[name].file}`)}?v=${assets[name].digest}`,
    file,
    page,
  };
}

export function createLiveLinks(assets = ASSETS): Links {
  return createLinks(
    (path) => path,
    (name) => `/${name}`,
    assets,
  );
}

/** Absolute links to a static site. @param base its origin and folder, without a final slash. */
export function createAbsoluteLinks(base: string, assets = ASSETS, liveUrl: string | null = null): Links {
  return createLinks(
    (path) => `${base}/${folderOf(path)}`,
    (name) => `${base}/${name}`,
    assets,
    liveUrl,
  );
}

/** Relative links. @param from the path of the page that contains them. */
export function createStaticLinks(from: string, assets = ASSETS, liveUrl: string | null = null): Links {
  const depth = from.split('/').filter((part) => part !== '').length;
  const root = depth === 0 ? './' : '../'.repeat(depth);
  return createLinks(
    (path) => root + folderOf(path),
    (name) => root + name,
    assets,
    liveUrl,
  );
}

/** `open/` for `/open` and `/open/`, and nothing for `/`. */
function folderOf(path: string): string {
  return path === '/' ? '' : `${path.replace(/^\/|\/$/g, '')}/`;
}
