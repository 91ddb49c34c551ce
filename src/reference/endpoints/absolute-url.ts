/**
 * The URL to send for one that is kept: a path of the server's own gets its base URL before it, anything else goes as it
 * is, so that a test may set what it likes.
 */
export function absoluteUrl<T>(baseUrl: string, kept: T): T | string {
  return typeof kept === 'string' && kept.startsWith('/') ? baseUrl + kept : kept;
}
