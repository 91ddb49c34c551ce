const isNormal = /^\/[^%#]*$/;
const unreserved = /[\w.~-]/;

/**
 * The one form of a request target that routes, fault rules and the rate limit judge by, so that no other spelling of a path gets
 * around one of them: a path and its query alone (RFC 9112 section 3.2), without a fragment, and without the percent-encoding of
 * characters that need none (RFC 3986 section 6.2.2.2). A `%` in the path that encodes nothing stands for itself. The query stays
 * as it came.
 */
export function normaliseTarget(target: string): string {
  if (isNormal.test(target)) return target;
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  const path = end === -1 ? local : local.slice(0, end);
  const query = local[end] === '?' ? local.slice(end) : '';
  return normalisePath(path.startsWith('/') ? path : `/${path}`) + query;
}

function normalisePath(path: string): string {
  // In one pass: what was decoded must not be read as the end of another encoding.
  const decoded = path.replace(/%([\da-f]{2})?/gi, (encoded, digits?: string) => {
    if (digits === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(character) ? character : encoded;
  });
  try {
    decodeURI(decoded);
    return decoded;
  } catch {
    // Bytes that are no UTF-8.
    return decoded.replaceAll('%', '%25');
  }
}
