const normalTarget = /^\/[^%#]*$/;
const unreserved = /[\w.~-]/;

/**
 * The canonical form of a request target: its path and query, without a scheme and host (RFC 9112 section 3.2) and without a
 * fragment. In the path, unreserved characters are decoded (RFC 3986 section 6.2.2.2) and a stray `%` is encoded; the query is
 * unchanged. Routes, fault rules and the rate limit all match this form, so that no other spelling of a path bypasses them.
 */
export function normaliseTarget(target: string): string {
  if (normalTarget.test(target)) return target;
  // Removes the scheme and host of the absolute form.
  const pathAndRest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const end = pathAndRest.search(/[?#]/);
  const path = end === -1 ? pathAndRest : pathAndRest.slice(0, end);
  const query = pathAndRest[end] === '?' ? pathAndRest.slice(end) : '';
  return normalisePath(path.startsWith('/') ? path : `/${path}`) + query;
}

function normalisePath(path: string): string {
  // A single pass: decoded characters must not become part of another encoding.
  const decoded = path.replace(/%([\da-f]{2})?/gi, (encoded, digits?: string) => {
    if (digits === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return unreserved.test(character) ? character : encoded;
  });
  try {
    decodeURI(decoded);
    return decoded;
  } catch {
    // The encoded bytes are not UTF-8.
    return decoded.replaceAll('%', '%25');
  }
}
