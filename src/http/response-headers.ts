import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Maximum bytes of the header block of an answer; nothing else limits headers. */
export const MAX_HEADER_BYTES = 65_536;

/**
 * The headers of an answer, read as UTF-8. Node joins repeated header lines, but each `X-Robots-Tag` line starts a new scope, so those
 * become a list. `rawHeaders` alternates names and values.
 */
export function headersOf(response: IncomingMessage | undefined): IncomingHttpHeaders {
  if (response === undefined) return {};
  const { rawHeaders } = response;
  const headers = rawHeaders.some(isNotAscii) ? decoded(response.headers) : response.headers;
  if (headers['x-robots-tag'] === undefined) return headers;
  const lines = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'x-robots-tag' && index % 2 === 1,
  );
  return lines.length < 2 ? headers : { ...headers, 'x-robots-tag': lines.map(headerText) };
}

/**
 * A header value as text: Node reads each byte as one character, but bytes above 0x7F are UTF-8. Invalid ones become U+FFFD, which no host
 * name can contain.
 */
export function headerText(value: string): string {
  return isNotAscii(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

/** The target of a redirect; null when it is not a valid URL, or has bytes that are not UTF-8, so that the server wrote no such target. */
export function locationUrl(location: string, base: string): URL | null {
  return location.includes('\ufffd') ? null : URL.parse(location, base);
}

function isNotAscii(text: string): boolean {
  return /[\x80-\xff]/.test(text);
}

function decoded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? headerText(value) : value?.map(headerText),
    ]),
  );
}

/** The versions that Node's strict parser accepts. */
const HTTP_VERSIONS: ReadonlySet<string> = new Set(['0.9', '1.0', '1.1', '2.0']);

/** Why an answer that was read leniently is refused all the same, as one phrase; null when it is not. */
export function problemOfLenientRead({ httpVersion, rawHeaders }: IncomingMessage): string | null {
  if (!HTTP_VERSIONS.has(httpVersion)) return 'the HTTP version is unknown';
  const names = new Set(rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.trim().toLowerCase()));
  if (names.has('content-length') && names.has('transfer-encoding'))
    return 'the answer has both Content-Length and Transfer-Encoding';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a header value must not contain (RFC 9110 section 5.5).
  if (rawHeaders.some((text) => /[\0-\x08\x0a-\x1f\x7f]/.test(text))) return 'a header has a control character';
  return null;
}
