import type { IncomingHttpHeaders } from 'node:http';
import { type CheerioAPI, load } from 'cheerio/slim';

/** A page that came where a document was asked for. */
export interface Page {
  status: number;
  headers: IncomingHttpHeaders;
  body: Uint8Array;
}

/** What a page is, and whose, where that can be told. */
export interface PageClass {
  class: 'challenge-page' | 'parked-page' | 'default-page' | 'maintenance-page' | 'web-app';
  /** The product or company that made the page; null when it is anybody's. */
  by: string | null;
}

interface Row {
  by: string;
  header?: (headers: IncomingHttpHeaders) => boolean;
  /** In the title, whole and lower-cased. */
  title?: RegExp;
  /** In an address that the page loads, links or posts to; of a parked page, only in what it loads or leads on to by itself. */
  address?: RegExp;
  /** In an inline script. */
  script?: RegExp;
  /** All but the title is on pages that were let through as well: it tells only where something was held back. */
  isOnAll?: true;
}

/** Proxies that want to see a browser first. */
const CHALLENGES: readonly Row[] = [
  {
    by: 'Cloudflare',
    header: (headers) => headers['cf-mitigated'] === 'challenge',
    title: /^just a moment(\.\.\.|…)?$|^attention required! \| cloudflare$/,
    address: /\/cdn-cgi\/challenge-platform\/h\/\w+\/orchestrate\//,
    script: /_cf_chl_opt/,
  },
  { by: 'Anubis', title: /^making sure you('|&#39;|’)re not a bot/, address: /\/\.within\.website\/x\/(cmd|xess)\// },
  {
    by: 'DDoS-Guard',
    header: ({ server, 'set-cookie': cookies }) =>
      server === 'ddos-guard' && (cookies ?? []).some((cookie) => cookie.startsWith('__ddg')),
    title: /^ddos-guard$/,
    address: /\/\.well-known\/ddos-guard\//,
    isOnAll: true,
  },
  { by: 'Imperva', address: /\/_incapsula_resource/i, script: /_Incapsula_Resource/, isOnAll: true },
  { by: 'Sucuri', title: /^sucuri website firewall/, script: /sucuri_cloudproxy_js/ },
  {
    by: 'AWS WAF',
    header: (headers) => headers['x-amzn-waf-action'] === 'challenge' || headers['x-amzn-waf-action'] === 'captcha',
  },
  { by: 'AWS WAF', address: /\.token\.awswaf\.com\//, script: /awsWafCookieDomainList/, isOnAll: true },
  {
    by: 'DataDome',
    header: (headers) => headers['x-datadome'] !== undefined,
    address: /(geo|ct)\.captcha-delivery\.com\//,
    isOnAll: true,
  },
  { by: 'PerimeterX', address: /captcha\.px-cloud\.net\//, script: /_pxAppId/, isOnAll: true },
  {
    by: 'Vercel',
    header: (headers) => headers['x-vercel-mitigated'] === 'challenge',
    title: /^vercel security checkpoint/,
  },
  { by: 'go-away', address: /\/\.well-known\/\.git\.gammaspectra\.live\/git\/go-away\// },
  { by: 'haproxy-protection', address: /\/\.basedflare\// },
  { by: 'BunkerWeb', title: /^bot detection$/ },
];

/** Companies that show a page of theirs on names that are unused or for sale. */
const PARKING: readonly Row[] = [
  { by: 'Sedo', address: /\b(sedoparking|sedo)\.com\b/ },
  { by: 'ParkingCrew', address: /\bparkingcrew\.net\b/ },
  { by: 'Bodis', address: /\bbodis(cdn)?\.com\b/ },
  { by: 'GoDaddy', address: /\bwsimg\.com\/parking-lander\//, script: /LANDER_SYSTEM/ },
  { by: 'Afternic', address: /\bafternic\.com\/forsale\b/ },
  { by: 'Dan', address: /\bdan\.com\/buy-domain\b/ },
  { by: 'HugeDomains', address: /\bhugedomains\.com\/domain_profile\b/ },
  { by: 'Namecheap', address: /\bparkingpage\.namecheap\.com\b/ },
  { by: 'Above', address: /\babove\.com\/marketplace\b/ },
];
/** What a title may have before and after its subject: the name of the site. */
const BEFORE = '^(?:[^|]{1,80}? [-|–—:·] )?';
const AFTER = '[.!…]*(?: [-|–—:·] .{0,80})?$';
const NAME = '(?:[\\w-]+\\.)+[\\w-]+';
const PARKED_TITLE = new RegExp(
  `${BEFORE}(?:(?:(?:(?:the|this) )?(?:domain(?: name)?|website)(?: ${NAME})?|${NAME}) (?:is |may be )?(?:for sale|parked(?: free)?)` +
    `(?: (?:at|by|on|with) .{1,60})?|parked domain(?: name)?|buy this domain)${AFTER}`,
);

/** What a freshly installed server shows. */
const DEFAULTS: readonly Row[] = [
  { by: 'nginx', title: /^welcome to nginx|^test page for the nginx http server/ },
  { by: 'OpenResty', title: /^welcome to openresty/ },
  { by: 'Apache', title: /^apache2 .*default page|^test page for the apache|^it works!?$/ },
  { by: 'IIS', title: /^iis windows( server)?$|^iis\d*$/ },
  { by: 'Caddy', title: /^caddy works!?$/ },
  { by: 'Plesk', title: /^(default plesk page|web server's default page|domain default page)/ },
  { by: 'cPanel', title: /^default web site page$/, address: /\/cgi-sys\/defaultwebpage\.cgi/ },
  { by: 'Red Hat', title: /^(http server test page|test page for the http server)/ },
];
const MAINTENANCE_TITLE = new RegExp(
  `${BEFORE}(?:(?:[^\\s|]+ ){0,4}(?:(?:under|down for|undergoing) (?:scheduled )?maintenance|in maintenance mode|be right back)` +
    `|(?:scheduled )?maintenance|maintenance mode|(?:503 )?service (?:temporarily )?unavailable)${AFTER}`,
);

/** What an answer has that holds something back, as far as it is told by status. */
const HELD_BACK: ReadonlySet<number> = new Set([202, 401, 403, 405, 429, 503]);

/** So much of a page is looked at; its head, which tells, comes first. */
const READ_BYTES = 16 * 1_024;
/** The length of text that a page without its scripts may have and still say nothing: the frame of a web app, or a gate. */
const LITTLE_TEXT = 400;

/**
 * Tells what a page is that came instead of a document: from headers, title, addresses and scripts, never from prose, which
 * any page may quote. Null for anything but HTML and for a page like any other.
 */
export function classifyPage({ status, headers, body }: Page): PageClass | null {
  const isHeldBack = HELD_BACK.has(status);
  const byHeader = CHALLENGES.find(
    ({ header, isOnAll }) => header?.(headers) === true && (isHeldBack || isOnAll !== true),
  );
  if (byHeader !== undefined) return { class: 'challenge-page', by: byHeader.by };
  const text = new TextDecoder().decode(body.subarray(0, READ_BYTES));
  if (!/^\s*</.test(text) || /^\s*<\?xml/.test(text)) return null;
  const html = load(text);
  const marks = marksOf(html);
  const isFine = status >= 200 && status < 300;
  const saysLittle = textOf(html).length <= LITTLE_TEXT;
  const mayBeGate = isHeldBack || (isFine && saysLittle && body.length <= READ_BYTES);

  const challenge = CHALLENGES.find((row) => shows(marks, row, marks.addresses, mayBeGate || row.isOnAll !== true));
  if (challenge !== undefined) return { class: 'challenge-page', by: challenge.by };
  const parking = PARKING.find((row) => shows(marks, row, marks.loaded));
  if (parking !== undefined) return { class: 'parked-page', by: parking.by };
  if (PARKED_TITLE.test(marks.title)) return { class: 'parked-page', by: null };
  const fresh = DEFAULTS.find((row) => shows(marks, row, marks.addresses));
  if (fresh !== undefined) return { class: 'default-page', by: fresh.by };
  if (MAINTENANCE_TITLE.test(marks.title)) return { class: 'maintenance-page', by: null };
  const hasFrame = marks.hasScript && html('div, main, section').length > 0;
  // An element to fill and hardly any words: nothing without its scripts.
  return isFine && saysLittle && hasFrame ? { class: 'web-app', by: null } : null;
}

interface Marks {
  title: string;
  addresses: string[];
  /** Those of frames, scripts and refreshes. */
  loaded: string[];
  scripts: string[];
  hasScript: boolean;
}

const LOADS: ReadonlySet<string> = new Set(['script', 'iframe', 'frame']);

/** One walk over the page: a hostile one may have ten thousand elements inside one another. */
function marksOf(html: CheerioAPI): Marks {
  const marks: Marks = { title: '', addresses: [], loaded: [], scripts: [], hasScript: false };
  for (const element of html('*').toArray()) {
    if (!('attribs' in element)) continue;
    const { src, href, action, content } = element.attribs;
    for (const address of [src, href, action, content]) if (address !== undefined) marks.addresses.push(address);
    if (LOADS.has(element.name) && src !== undefined) marks.loaded.push(src);
    if (element.attribs['http-equiv']?.toLowerCase() === 'refresh' && content !== undefined) marks.loaded.push(content);
    if (element.name === 'script') marks.hasScript = true;
    if (element.name === 'script' && src === undefined) marks.scripts.push(html(element).text());
    if (element.name === 'title' && marks.title === '') marks.title = html(element).text();
  }
  return { ...marks, title: marks.title.replace(/\s+/g, ' ').trim().slice(0, 300).toLowerCase() };
}

/** @param withMarks whether more than the title counts. */
function shows({ title, scripts }: Marks, row: Row, addresses: readonly string[], withMarks = true): boolean {
  if (row.title?.test(title) === true) return true;
  if (!withMarks) return false;
  const { address, script } = row;
  if (address !== undefined && addresses.some((each) => address.test(each))) return true;
  return script !== undefined && scripts.some((each) => script.test(each));
}

/** What a page says without its scripts. Takes the page apart. */
function textOf(html: CheerioAPI): string {
  html('head, title, script, style, noscript, template').remove();
  // Element by element: a walk that calls itself has no end of stack for thousands of elements inside one another.
  const words: string[] = [];
  for (const element of [...html.root().toArray(), ...html('*').toArray()]) {
    if (!('children' in element)) continue;
    for (const child of element.children) if (child.type === 'text' && 'data' in child) words.push(child.data);
  }
  return words.join('').trim();
}
