import type { IncomingHttpHeaders } from 'node:http';
import { type CheerioAPI, load } from 'cheerio/slim';

/** A page received instead of a document. */
export interface Page {
  status: number;
  headers: IncomingHttpHeaders;
  body: Uint8Array;
}

/** The kind of a page, and its maker if known. */
export interface PageClass {
  class: 'challenge-page' | 'parked-page' | 'default-page' | 'maintenance-page' | 'web-app';
  /** The product or company behind the page; null when unknown. */
  by: string | null;
}

/** The headers that identify makers of pages. */
export type PageHeader =
  | 'server'
  | 'set-cookie'
  | 'cf-mitigated'
  | 'x-amzn-waf-action'
  | 'x-datadome'
  | 'x-vercel-mitigated';

/** A maker of pages, and the marks that identify them. One mark is enough. */
interface Row {
  by: string;
  header?: (headers: Partial<Pick<IncomingHttpHeaders, PageHeader>>) => boolean;
  /** Matches the lower-cased title. */
  title?: RegExp;
  /** Matches a URL that the page loads, links or posts to; for a parked page, only one that it loads or forwards to. */
  url?: RegExp;
  /** Matches an inline script. */
  script?: RegExp;
  /**
   * All marks except the title also occur on ordinary pages of the site, so they count only when access was restricted, or, except the
   * header, on a short 2xx page with hardly any text.
   */
  isAlwaysPresent?: true;
}

/** Proxies that let only browsers pass. */
const CHALLENGES: readonly Row[] = [
  {
    by: 'Cloudflare',
    header: (headers) => headers['cf-mitigated'] === 'challenge',
    title: /^just a moment(\.\.\.|…)?$|^attention required! \| cloudflare$/,
    url: /\/cdn-cgi\/challenge-platform\/h\/\w+\/orchestrate\//,
    script: /_cf_chl_opt/,
  },
  { by: 'Anubis', title: /^making sure you('|&#39;|’)re not a bot/, url: /\/\.within\.website\/x\/(cmd|xess)\// },
  {
    by: 'DDoS-Guard',
    header: ({ server, 'set-cookie': cookies }) =>
      server === 'ddos-guard' && (cookies ?? []).some((cookie) => cookie.startsWith('__ddg')),
    title: /^ddos-guard$/,
    url: /\/\.well-known\/ddos-guard\//,
    isAlwaysPresent: true,
  },
  { by: 'Imperva', url: /\/_incapsula_resource/i, script: /_Incapsula_Resource/, isAlwaysPresent: true },
  { by: 'Sucuri', title: /^sucuri website firewall/, script: /sucuri_cloudproxy_js/ },
  {
    by: 'AWS WAF',
    header: (headers) => headers['x-amzn-waf-action'] === 'challenge' || headers['x-amzn-waf-action'] === 'captcha',
  },
  { by: 'AWS WAF', url: /\.token\.awswaf\.com\//, script: /awsWafCookieDomainList/, isAlwaysPresent: true },
  {
    by: 'DataDome',
    header: (headers) => headers['x-datadome'] !== undefined,
    url: /(geo|ct)\.captcha-delivery\.com\//,
    isAlwaysPresent: true,
  },
  { by: 'PerimeterX', url: /captcha\.px-cloud\.net\//, script: /_pxAppId/, isAlwaysPresent: true },
  {
    by: 'Vercel',
    header: (headers) => headers['x-vercel-mitigated'] === 'challenge',
    title: /^vercel security checkpoint/,
  },
  { by: 'go-away', url: /\/\.well-known\/\.git\.gammaspectra\.live\/git\/go-away\// },
  { by: 'haproxy-protection', url: /\/\.basedflare\// },
  { by: 'BunkerWeb', title: /^bot detection$/ },
];

/** Companies that show their own page on domains that are unused or for sale. */
const PARKING: readonly Row[] = [
  { by: 'Sedo', url: /\b(sedoparking|sedo)\.com\b/ },
  { by: 'ParkingCrew', url: /\bparkingcrew\.net\b/ },
  { by: 'Bodis', url: /\bbodis(cdn)?\.com\b/ },
  { by: 'GoDaddy', url: /\bwsimg\.com\/parking-lander\//, script: /LANDER_SYSTEM/ },
  { by: 'Afternic', url: /\bafternic\.com\/forsale\b/ },
  { by: 'Dan', url: /\bdan\.com\/buy-domain\b/ },
  { by: 'HugeDomains', url: /\bhugedomains\.com\/domain_profile\b/ },
  { by: 'Namecheap', url: /\bparkingpage\.namecheap\.com\b/ },
  { by: 'Above', url: /\babove\.com\/marketplace\b/ },
];
/** Optional parts of a title around its subject, such as the name of the site. */
const BEFORE = '^(?:[^|]{1,80}? [-|–—:·] )?';
const AFTER = '[.!…]*(?: [-|–—:·] .{0,80})?$';
const NAME = '(?:[\\w-]+\\.)+[\\w-]+';
const PARKED_TITLE = new RegExp(
  `${BEFORE}(?:(?:(?:(?:the|this) )?(?:domain(?: name)?|website)(?: ${NAME})?|${NAME}) (?:is |may be )?(?:for sale|parked(?: free)?)` +
    `(?: (?:at|by|on|with) .{1,60})?|parked domain(?: name)?|buy this domain)${AFTER}`,
);

/** Pages of freshly installed servers. */
const DEFAULTS: readonly Row[] = [
  { by: 'nginx', title: /^welcome to nginx|^test page for the nginx http server/ },
  { by: 'OpenResty', title: /^welcome to openresty/ },
  { by: 'Apache', title: /^apache2 .*default page|^test page for the apache|^it works!?$/ },
  { by: 'IIS', title: /^iis windows( server)?$|^iis\d*$/ },
  { by: 'Caddy', title: /^caddy works!?$/ },
  { by: 'Plesk', title: /^(default plesk page|web server's default page|domain default page)/ },
  { by: 'cPanel', title: /^default web site page$/, url: /\/cgi-sys\/defaultwebpage\.cgi/ },
  { by: 'Red Hat', title: /^(http server test page|test page for the http server)/ },
];
const MAINTENANCE_TITLE = new RegExp(
  `${BEFORE}(?:(?:[^\\s|]+ ){0,4}(?:(?:under|down for|undergoing) (?:scheduled )?maintenance|in maintenance mode|be right back)` +
    `|(?:scheduled )?maintenance|maintenance mode|(?:503 )?service (?:temporarily )?unavailable)${AFTER}`,
);

/** Statuses of answers that restrict access. */
const RESTRICTING_STATUSES: ReadonlySet<number> = new Set([202, 401, 403, 405, 429, 503]);

/** Only the start of a page is parsed; the marks are in its head. */
const READ_BYTES = 16 * 1_024;
/** Maximum text length of a page without real content: the shell of a web app, or a challenge. */
const MAX_SHELL_TEXT = 400;

/**
 * Classifies a page by headers, title, URLs and scripts, never by its text, which may also occur on an ordinary page. Null for an
 * ordinary page and, unless a header marks a challenge, for anything but HTML.
 */
export function classifyPage({ status, headers, body }: Page): PageClass | null {
  const isRestricted = RESTRICTING_STATUSES.has(status);
  const byHeader = CHALLENGES.find(
    ({ header, isAlwaysPresent }) => header?.(headers) === true && (isRestricted || isAlwaysPresent !== true),
  );
  if (byHeader !== undefined) return { class: 'challenge-page', by: byHeader.by };
  const text = new TextDecoder().decode(body.subarray(0, READ_BYTES));
  if (!/^\s*</.test(text) || /^\s*<\?xml/.test(text)) return null;
  const html = load(text);
  const marks = marksOf(html);
  const isSuccess = status >= 200 && status < 300;
  const hasLittleText = textOf(html).length <= MAX_SHELL_TEXT;
  const mayBeChallenge = isRestricted || (isSuccess && hasLittleText && body.length <= READ_BYTES);

  const challenge = CHALLENGES.find((row) =>
    matches(marks, row, marks.urls, mayBeChallenge || row.isAlwaysPresent !== true),
  );
  if (challenge !== undefined) return { class: 'challenge-page', by: challenge.by };
  const parking = PARKING.find((row) => matches(marks, row, marks.loaded));
  if (parking !== undefined) return { class: 'parked-page', by: parking.by };
  if (PARKED_TITLE.test(marks.title)) return { class: 'parked-page', by: null };
  const defaultPage = DEFAULTS.find((row) => matches(marks, row, marks.urls));
  if (defaultPage !== undefined) return { class: 'default-page', by: defaultPage.by };
  if (MAINTENANCE_TITLE.test(marks.title)) return { class: 'maintenance-page', by: null };
  const hasContainer = marks.hasScript && html('div, main, section').length > 0;
  // A container, a script and hardly any text: scripts fill the page in the browser.
  return isSuccess && hasLittleText && hasContainer ? { class: 'web-app', by: null } : null;
}

interface Marks {
  title: string;
  urls: string[];
  /** URLs of frames, scripts and refreshes. */
  loaded: string[];
  scripts: string[];
  hasScript: boolean;
}

const LOADS: ReadonlySet<string> = new Set(['script', 'iframe', 'frame']);

/** Not recursive: a hostile page may nest ten thousand elements. */
function marksOf(html: CheerioAPI): Marks {
  const marks: Marks = { title: '', urls: [], loaded: [], scripts: [], hasScript: false };
  for (const element of html('*').toArray()) {
    if (!('attribs' in element)) continue;
    const { src, href, action, content } = element.attribs;
    for (const url of [src, href, action, content]) if (url !== undefined) marks.urls.push(url);
    if (LOADS.has(element.name) && src !== undefined) marks.loaded.push(src);
    if (element.attribs['http-equiv']?.toLowerCase() === 'refresh' && content !== undefined) marks.loaded.push(content);
    if (element.name === 'script') marks.hasScript = true;
    if (element.name === 'script' && src === undefined) marks.scripts.push(html(element).text());
    if (element.name === 'title' && marks.title === '') marks.title = html(element).text();
  }
  return { ...marks, title: marks.title.replace(/\s+/g, ' ').trim().slice(0, 300).toLowerCase() };
}

/** @param withMarks false when only the title counts. */
function matches({ title, scripts }: Marks, row: Row, urls: readonly string[], withMarks = true): boolean {
  if (row.title?.test(title) === true) return true;
  if (!withMarks) return false;
  const { url, script } = row;
  if (url !== undefined && urls.some((each) => url.test(each))) return true;
  return script !== undefined && scripts.some((each) => script.test(each));
}

/** The text of a page without its scripts. Modifies `html`. */
function textOf(html: CheerioAPI): string {
  html('head, title, script, style, noscript, template').remove();
  // Not recursive: thousands of nested elements would overflow the stack.
  const words: string[] = [];
  for (const element of [...html.root().toArray(), ...html('*').toArray()]) {
    if (!('children' in element)) continue;
    for (const child of element.children) if (child.type === 'text' && 'data' in child) words.push(child.data);
  }
  return words.join('').trim();
}
