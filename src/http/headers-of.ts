import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * The headers of an answer; none when none began. Node joins the lines of a header that was sent twice, but in an `X-Robots-Tag` each
 * begins anew: they are a list.
 */
export function headersOf(response: IncomingMessage | undefined): IncomingHttpHeaders {
  const tag = response?.headers['x-robots-tag'];
  if (response === undefined || tag === undefined) return response?.headers ?? {};
  const { rawHeaders } = response;
  const lines = rawHeaders.filter(
    (_, index) => rawHeaders[index - 1]?.toLowerCase() === 'x-robots-tag' && index % 2 === 1,
  );
  return lines.length < 2 ? response.headers : { ...response.headers, 'x-robots-tag': lines };
}
