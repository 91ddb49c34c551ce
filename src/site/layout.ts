import { html } from 'ghtml';
import { MAX_SEARCH_LENGTH } from './directory/choice-url.ts';
import { ICON_SPRITE, icon } from './icons.ts';
import type { Site } from './site.ts';

export interface Page {
  /** Without the name of the site. */
  readonly title: string;
  /** One sentence for search engines and previews. */
  readonly description: string;
  /** HTML of the main part, with its own `<h1>`. */
  readonly content: string;
  /** The path of the highlighted entry of the main navigation. Default: the path of the page. */
  readonly section?: string;
  /** On a page that shows what is searched for: the text that was entered. The search form then belongs to the page, which adds fields to it. */
  readonly searched?: string;
  /** HTML for the end of `<head>`. */
  readonly head?: string;
  /** Whether search engines are asked to leave the page out. */
  readonly isNoindex?: boolean;
}

/** The content security policy of static pages; live pages get theirs as a header. */
const POLICY = "default-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'";

export function renderPage(
  { title, description, content, section, searched, head = '', isNoindex = false }: Page,
  site: Site,
): string {
  const { brand, words, links, mode, path, base } = site;
  const { frame } = words;
  const fullTitle = path === '/' ? `${frame.name} – ${title}` : `${title} – ${frame.name}`;
  return html`<!doctype html>
<html lang="${frame.language}">
<head>
<meta charset="utf-8">
!${mode === 'static' ? html`<meta http-equiv="content-security-policy" content="${POLICY}">` : ''}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${fullTitle}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#15141b">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${frame.name}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${pictureUrl(site)}">
<meta property="og:image:alt" content="${frame.name}">
!${base === null ? '' : html`<meta property="og:url" content="${base}${path}"><link rel="canonical" href="${base}${path}">`}
!${isNoindex ? '<meta name="robots" content="noindex">' : ''}
<link rel="icon" type="${brand.assets.icon.type}" href="${links.asset('icon')}">
<link rel="stylesheet" href="${links.asset('site.css')}">
<script type="module" src="${links.asset('site.js')}"></script>
<link rel="alternate" type="application/atom+xml" title="${frame.feedTitle}" href="${links.file('feed.atom')}">
<link rel="alternate" type="application/json" title="${frame.jsonTitle}" href="${links.file('instances.json')}">
!${head}
</head>
<body data-locale="${words.format.locale}">
!${ICON_SPRITE}
<a class="skip" href="#content">${frame.skip}</a>
!${header(site, section, searched)}
<main id="content" tabindex="-1">
!${content}
</main>
!${footer(site)}
</body>
</html>
`;
}

/** The picture of link previews, with an absolute URL if the URL of the site is known. */
function pictureUrl({ brand, links, base }: Site): string {
  const { file, digest } = brand.assets.picture;
  return base === null ? links.asset('picture') : `${base}/assets/${file}?v=${digest}`;
}

function header(site: Site, highlighted: string | undefined, searched: string | undefined): string {
  const { words, links, path } = site;
  const { frame } = words;
  // Without a final slash, unless it is the whole path.
  const pagePath = path.replace(/(?<=.)\/$/, '');
  const section = highlighted ?? pagePath;
  const entries: readonly (readonly [path: string, url: string, text: string])[] = [
    ['/', links.directory(), frame.nav.directory],
    ['/stats', links.page('/stats'), frame.nav.stats],
    ['/check', links.form('/check'), frame.nav.check],
    ['/add', links.form('/add'), frame.nav.add],
    ['/about', links.page('/about'), frame.nav.about],
  ];
  const current = section === pagePath ? 'page' : 'true';
  const items = entries.map(
    ([entryPath, url, text]) =>
      html`<li><a href="${url}" !${entryPath === section ? html`aria-current="${current}"` : ''}>${text}</a></li>`,
  );
  return html`<header class="top">
<div class="wide">
<a class="brand" href="${links.directory()}"><img src="${links.asset('logo')}" alt="" width="28" height="28">${frame.name}</a>
<nav aria-label="${frame.nav.label}"><ul class="menu">!${items}</ul></nav>
!${searchForm(site, searched)}
</div>
</header>`;
}

/** The search for servers and, on a live site, for any known domain. */
function searchForm({ words: { frame }, links, mode }: Site, searched: string | undefined): string {
  const action = searched === undefined && mode === 'live' ? links.page('/domains') : links.directory();
  return html`<form id="find" class="find !${mode === 'static' ? 'scripted' : ''}" role="search" action="${action}" method="get">
<label class="unseen" for="q">${frame.find[mode]}</label>
<input id="q" name="q" type="search" value="${searched ?? ''}" placeholder="${frame.find.short}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="${MAX_SEARCH_LENGTH}">
<button>!${icon('search')}<span class="unseen">${frame.find.button}</span></button>
</form>`;
}

const OWN_LINKS = ['imprint', 'privacy', 'contact', 'source'] as const;

function footer({ brand, words, links, mode, at }: Site): string {
  const { frame, format } = words;
  const ownLinks = OWN_LINKS.flatMap((name) => {
    const url = brand.links[name];
    return url === null ? [] : [html`<li><a href="${url}">${frame.links[name]}</a></li>`];
  });
  return html`<footer class="bottom">
<div class="wide">
!${at === null ? '' : html`<p>${frame.dataOf} <time class="data-time" datetime="${new Date(at).toISOString()}">${format.dateTime(at)}</time>.</p>`}
<ul>
<li><a href="${links.page('/data')}">${frame.nav.data}</a></li>
<li><a href="${links.file('instances.json')}">JSON</a></li>
<li><a href="${links.file('instances.csv')}">CSV</a></li>
<li><a href="${links.file('feed.atom')}">Atom</a></li>
!${mode === 'live' ? html`<li><a href="${links.page('/api')}">${frame.nav.api}</a></li><li><a href="${links.page('/crawler')}">${frame.nav.crawler}</a></li>` : ''}
<li><a href="${links.page('/about')}#away">${frame.optOut}</a></li>
!${ownLinks}
</ul>
</div>
</footer>`;
}
