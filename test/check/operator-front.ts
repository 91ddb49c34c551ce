import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** How the proxy changes the responses of the server behind it. */
export interface FrontHeaders {
  /** Strict-Transport-Security (RFC 6797); null: no header. */
  hsts: string | null;
  /** Compresses JSON responses. */
  compresses: boolean;
  /** Cache-Control for config and NodeInfo; null: no header. */
  cacheControl: string | null;
  /** Passes the server's CORS headers through. */
  cors: boolean;
  /** Additional headers of every response. */
  headers: OutgoingHttpHeaders;
}

/** Changes what is written to `response` as the proxy would. Bytes written directly to the socket are unchanged. */
export function applyFront(request: IncomingMessage, response: ServerResponse, front: FrontHeaders): void {
  const { writeHead, write, end } = response;
  // The head waits for the first bytes of the body, because compression changes its headers.
  let head: { status: number; headers: OutgoingHttpHeaders } | null = null;
  const flush = () => {
    if (head === null) return;
    const { status, headers } = head;
    head = null;
    writeHead.call(response, status, headers);
  };
  const addedHeaders = (path: string): OutgoingHttpHeaders => ({
    ...(front.hsts === null ? {} : { 'strict-transport-security': front.hsts }),
    ...(front.cacheControl !== null && /^\/(?:api\/v1\/config|\.well-known\/nodeinfo|nodeinfo\/)/.test(path)
      ? { 'cache-control': front.cacheControl }
      : {}),
    ...front.headers,
  });

  response.writeHead = ((status: number, reasonOrHeaders?: unknown, headersAfterReason?: unknown) => {
    const givenHeaders = (typeof reasonOrHeaders === 'object' ? reasonOrHeaders : headersAfterReason) as
      | OutgoingHttpHeaders
      | undefined;
    const headers: OutgoingHttpHeaders = {
      ...response.getHeaders(),
      ...givenHeaders,
      ...addedHeaders(request.url ?? ''),
    };
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    for (const name of front.cors ? [] : Object.keys(headers)) {
      if (name.toLowerCase().startsWith('access-control-')) delete headers[name];
    }
    head = { status, headers };
    return response;
  }) as typeof writeHead;
  response.write = ((...chunk: Parameters<typeof write>) => {
    flush();
    return write.apply(response, chunk);
  }) as typeof write;
  response.end = ((chunk?: unknown, ...rest: unknown[]) => {
    const hasBody = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (head !== null && hasBody && front.compresses && mayCompress(request, head.headers)) {
      const compressed = gzipSync(chunk);
      head.headers = {
        ...head.headers,
        'content-encoding': 'gzip',
        'content-length': compressed.length,
        vary: 'Accept-Encoding',
      };
      flush();
      return end.call(response, compressed, 'utf8');
    }
    flush();
    return (end as (...all: unknown[]) => ServerResponse).call(response, chunk, ...rest);
  }) as typeof end;
}

function mayCompress({ headers, method }: IncomingMessage, responseHeaders: OutgoingHttpHeaders): boolean {
  if (method === 'HEAD' || responseHeaders['content-encoding'] !== undefined) return false;
  return /gzip/.test(String(headers['accept-encoding'])) && /json/.test(String(responseHeaders['content-type']));
}
