const isNormal = /^\/[^%#]*$/;
const unreserved = /[\w.~-]/;

/**
 * The canonical form of a request target. Routes, fault rules and the rate limit all match this form, so that no other spelling
 * of a path bypasses one of them: path and query only (RFC 9112 section 3.2), no fragment, unreserved characters decoded
 * (RFC 3986 section 6.2.2.2), a stray `%` in the path encoded. The query is unchanged.
 */
export function normaliseTarget(target: string): string {
  if (isNormal.test(target)) return target;
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
