/** An advertised address: where to connect to, and the path and query to send there, byte for byte as they were given. */
export interface Href {
  /** Its host has no root label; what it makes of the path is not what is sent. */
  url: URL;
  target: string;
}

/** Characters. RFC 9110 section 4.1 asks that 8,000 be understood, but none is known over 60, and matching robots.txt takes the square. */
const MAX_LENGTH = 500;

/** Printable ASCII but the backslash; what else a text may hold, URL parsers drop or repair. */
const PRINTABLE = /^[\x21-\x5b\x5d-\x7e]*$/;
/** An authority without user info, then path and query. */
const ABSOLUTE = /^https?:\/\/[^/?#@]+(?<target>(?:[/?][^#]*)?)(?:#|$)/i;

/**
 * The href as an absolute http or https URI (RFC 3986 section 4.3), or null. Nothing is repaired: not a relative or
 * scheme-less one, no white space around or in it, no character outside ASCII, no backslash, no missing host.
 */
export function parseHref(href: string): Href | null {
  if (href.length > MAX_LENGTH || !PRINTABLE.test(href)) return null;
  const given = ABSOLUTE.exec(href)?.groups?.target;
  const url = URL.parse(href);
  if (given === undefined || url === null) return null;
  // The root label, if it is written, is the same host (RFC 1034 section 3.1).
  url.hostname = url.hostname.replace(/\.$/, '');
  url.hash = '';
  return { url, target: given.startsWith('/') ? given : `/${given}` };
}
