import { DOWN_DOMAIN, domainOf, HOSTILE_DOMAIN, SILENT_DOMAIN, UNBROKEN_DOMAIN } from './site-store.ts';

/** The instances whose pages are tested: an ordinary one, and those that are special in the fixture. */
export const INSTANCES = [domainOf(7), DOWN_DOMAIN, HOSTILE_DOMAIN, SILENT_DOMAIN, UNBROKEN_DOMAIN];

/** A page that the tests of all pages visit. Each new page needs a row. */
export interface PageUnderTest {
  /** The path on the live site. */
  readonly path: string;
  /** HTTP status. Default: 200. */
  readonly status?: number;
  /** Whether the static site also has this page, at the same path. */
  readonly isStatic?: boolean;
  /** Whether to visit the page only on the static site, because the live one is like another page. */
  readonly isOnlyStatic?: boolean;
  /** Whether the page shows the texts of the hostile instance. */
  readonly showsHostile?: boolean;
}

export const PAGES: readonly PageUnderTest[] = [
  { path: '/', isStatic: true },
  { path: '/page/3/', isStatic: true, isOnlyStatic: true },
  { path: '/table/', isStatic: true },
  { path: '/open/', isStatic: true },
  { path: '/version/1.2.0/', isStatic: true, isOnlyStatic: true },
  { path: '/country/de/', isStatic: true, isOnlyStatic: true },
  { path: '/feature/for-you-feed/page/2/', isStatic: true, isOnlyStatic: true },
  { path: '/down/', isStatic: true, isOnlyStatic: true },
  { path: '/upload-mb/100/', isStatic: true },
  { path: '/?q=hostile', showsHostile: true },
  { path: '/?q=hostile&view=table', showsHostile: true },
  { path: '/?q=unbroken' },
  { path: '/?q=unbroken&view=table' },
  { path: `/domains/${UNBROKEN_DOMAIN}` },
  { path: `/?q=${encodeURIComponent('"><img src=x onerror=window.hostile=1>')}` },
  { path: '/?registration=open&standing=far-behind&feature=atomFeeds&order=users' },
  { path: '/?q=nothing-has-this-name&registration=closed' },
  { path: '/stats/', isStatic: true },
  { path: '/hosting/', isStatic: true },
  { path: '/movers/', isStatic: true, showsHostile: true },
  { path: '/data/', isStatic: true },
  ...INSTANCES.map((domain) => ({
    path: `/instances/${domain}/`,
    isStatic: true,
    showsHostile: domain === HOSTILE_DOMAIN,
  })),
  { path: '/about/', isStatic: true },
  { path: '/crawler' },
  { path: '/api' },
  { path: '/check' },
  { path: '/add/', isStatic: true },
  { path: '/check?domain=loops.example.org' },
  { path: '/?q=example.net', showsHostile: true },
  { path: '/?q=mastodon' },
  { path: '/?q=new.example.org&feature=teleport&__proto__=%3Cscript%3Ewindow.hostile%3D1%3C/script%3E' },
  { path: '/?order=growth&view=table&growth.min=1' },
  { path: `/domains/${DOWN_DOMAIN}` },
  { path: `/domains/${HOSTILE_DOMAIN}` },
  { path: '/domains/unknown.example.org', status: 404 },
  { path: '/nothing', status: 404 },
  { path: '/page/999/', status: 404 },
];
