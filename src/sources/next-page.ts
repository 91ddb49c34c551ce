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
