/**
 * The next page that a server links to, or why it is not read. A link to another origin is not followed, because the server chooses it. An
 * http link to the page's own host is read at the page's own origin: servers behind a proxy announce the scheme and port of the inside.
 * The reasons do not name the target, which may have opted out.
 *
 * @param page the page that contains the link, after redirects.
 */
export function nextPageAt(link: string, page: URL): URL | string {
  const url = URL.parse(link.trim(), page.href);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'its link to the next page is not an http or https URL';
  const isSameHost = withoutDot(url.hostname) === withoutDot(page.hostname);
  const isSameOrigin = isSameHost && url.protocol === page.protocol && url.port === page.port;
  if (!isSameOrigin && !(isSameHost && url.protocol === 'http:'))
    return 'its link to the next page leads to another origin, which is not followed';
  // Without a fragment and a user name of the link.
  return new URL(url.pathname + url.search, page.origin);
}

/** A trailing dot (the root label) names the same host (RFC 1034 section 3.1). */
function withoutDot(hostname: string): string {
  return hostname.replace(/\.$/, '');
}

/** One link of a Link header with its parameters (RFC 8288 section 3). */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** The target of the first link with the relation `next`; null without one. A link with an anchor belongs to another document. */
export function nextInLinkHeader(header: string | string[] | undefined): string | null {
  for (const [, target = '', written = ''] of String(header ?? '').matchAll(LINK)) {
    const parameters = new Map<string, string>();
    for (const [, name = '', quoted, plain] of written.matchAll(PARAMETER)) {
      const key = name.toLowerCase();
      // The first value counts (RFC 8288 section 3.3).
      if (!parameters.has(key)) parameters.set(key, quoted ?? plain ?? '');
    }
    const relations = parameters.get('rel')?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes('next') && !parameters.has('anchor')) return target.trim();
  }
  return null;
}

/** Keys under which JSON interfaces announce a further page: `next`, `next_page_url`, `nextCursor`, `has_more`, `@odata.nextLink`. */
const NEXT_KEY =
  /^(?:@odata\.)?(?:next(?:[_-]?page)?(?:[_-]?(?:url|uri|link|href|cursor|token))?|has[_-]?(?:more|next)(?:[_-]?page)?)$/i;
const TARGET_KEY = /^(?:href|url|uri|cursor)$/i;

/** Depth of the values that may announce a page: `page.links.next.href`. */
export const ANNOUNCEMENT_DEPTH = 4;

/**
 * Whether a value outside the entries announces a further page: a link, a cursor, a page number or `true`.
 *
 * @param parent the key of the object that holds the value, if it is not in a list.
 */
export function announcesPage(key: string, parent: string | undefined, value: unknown): boolean {
  if (key === 'rel') return value === 'next';
  const name = TARGET_KEY.test(key) ? parent : key;
  if (name === undefined || !NEXT_KEY.test(name)) return false;
  return (
    value === true || (typeof value === 'number' && value > 0) || (typeof value === 'string' && !NOTHING.test(value))
  );
}

/** Texts that stand for no value. */
const NOTHING = /^\s*(?:false|null|none|0|-1)?\s*$/i;
