import { ASSETS, type AssetName, type Assets } from './assets.ts';

/** The URLs of all pages and files. A live site lies at the root of its host; a static site in any folder, so its links are relative. */
export interface Links {
  /** The directory with a query such as `registration=open`; on a static site, only the script reads the query. */
  directory(query?: string): string;
  instance(domain: string): string;
  stats(): string;
  data(): string;
  crawler(): string;
  about(): string;
  api(): string;
  /** The page that explains why a domain is listed or not. */
  domain(domain: string): string;
  check(domain: string): string;
  /** `/check` or `/add`; a static site links to those of `site.liveUrl`. */
  form(path: '/check' | '/add', domain?: string): string;
  /** Has the crawler visit a known domain. */
  revisit(domain: string): string;
  /** The target of the search form for domains; the name of its field is `q`. */
  search(): string;
  asset(name: AssetName): string;
  /** A file of the export, such as `feed.atom`, or a path of the API, such as `api/v1/stats`. */
  file(name: string): string;
  /** Any page by its path, such as `/version/1.2.0/`. */
  page(path: string): string;
}

/** @param page turns the path of a page into a URL; @param file does so with the path of a file. */
function createLinks(
  page: (path: string) => string,
  file: (name: string) => string,
  assets: Assets,
  liveUrl: string | null = null,
): Links {
  return {
    directory: (query = '') => page('/') + (query === '' ? '' : `?${query}`),
    instance: (domain) => page(`/instances/${domain}`),
    stats: () => page('/stats'),
    data: () => page('/data'),
    crawler: () => page('/crawler'),
    about: () => page('/about'),
    api: () => page('/api'),
    domain: (domain) => page(`/domains/${domain}`),
    check: (domain) => `${page('/check')}?domain=${encodeURIComponent(domain)}`,
    form: (path, domain) =>
      (liveUrl === null ? page(path) : liveUrl + path) +
      (domain === undefined ? '' : `?domain=${encodeURIComponent(domain)}`),
    revisit: (domain) => `${page('/revisit')}?domain=${encodeURIComponent(domain)}`,
    search: () => page('/domains'),
    asset: (name) => `${file(`assets/${assets[name].file}`)}?v=${assets[name].digest}`,
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
