/** One parameter of a query: as a form decodes it, and its value as it came. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
  /** The value as it stood in the request, with what may not stand in a URL percent-encoded. */
  readonly raw: string;
}

// Whatever is not in the query production of RFC 3986, a percent sign without its two digits among it.
const notInQuery = /%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi;

/**
 * The query of a request target as it came, byte by byte; what may not stand in a URL is percent-encoded, which leaves its value as it
 * is. Node gives the bytes of a request target as the characters U+0000 to U+00FF.
 */
export function rawQueryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1).replace(notInQuery, percentEncode);
}

/** The parameters of a query of `rawQueryOf`, in their order, decoded as forms are (a `+` is a space). */
export function parseRawQuery(query: string): QueryParameter[] {
  return query.split('&').flatMap((piece) => {
    const [pair] = new URLSearchParams(piece);
    if (pair === undefined) return [];
    const mark = piece.indexOf('=');
    return [{ name: pair[0], value: pair[1], raw: mark === -1 ? '' : piece.slice(mark + 1) }];
  });
}

function percentEncode(text: string): string {
  return Array.from(Buffer.from(text, 'latin1'), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
    '',
  );
}
