/** The redirect URI that a run registers. Nothing listens there: the redirect is read and not followed. It has a query, which a redirect must keep. */
export const REDIRECT_URI = 'http://127.0.0.1:8763/callback?by=conform';

/** The same URI with another port, which RFC 8252 allows for a loopback address. */
export const OTHER_PORT_URI = REDIRECT_URI.replace('8763', '8764');

/** A redirect URI that the app did not register. */
export const OTHER_REDIRECT_URI = 'http://127.0.0.1:8763/elsewhere';

/** Redirect URIs that the app did not register, although each resembles the one that it did. */
export const SIMILAR_URIS = {
  prefix: `${REDIRECT_URI}-other`,
  query: REDIRECT_URI.replace(/\?.*/, ''),
  folder: REDIRECT_URI.replace('?', '/below?'),
} as const;

/** Whether a URL is one of the redirect URIs, apart from its query. */
export function isRedirectUri(url: URL): boolean {
  return [REDIRECT_URI, OTHER_PORT_URI, OTHER_REDIRECT_URI, SIMILAR_URIS.folder].some((uri) => {
    const { origin, pathname } = new URL(uri);
    return url.origin === origin && url.pathname === pathname;
  });
}
