import { sendJson, serveList } from './serve-list.ts';

export interface FedidbServer {
  servers: readonly { domain: string; software: { name: string; slug?: string } }[];
  /** Number of requests before a single 429 with `retryAfter`. */
  allowance?: number;
  retryAfter?: string;
}

/** GET /v1.1/software/NAME/servers and /v1.1/servers, ?limit=40&cursor=&sort_by=&small=1: pages of at most 40 servers, with an opaque cursor in `links` and `meta`. */
export function serveFedidb({ servers, allowance, retryAfter = '1' }: FedidbServer) {
  let requestCount = 0;
  return serveList(({ url }, response) => {
    const path = /^\/v1\.1(?:\/software\/([a-z]+))?\/servers$/.exec(url.pathname);
    if (path === null) return sendJson(response, { message: 'Not Found' }, 404);
    const [, wanted] = path;
    requestCount += 1;
    if (requestCount === (allowance ?? -1) + 1)
      return sendJson(response, { message: 'Too Many Attempts.' }, 429, { 'retry-after': retryAfter });
    const limit = Math.min(40, Number(url.searchParams.get('limit') ?? 10));
    const matching = servers.filter(
      ({ software }) => wanted === undefined || (software.slug ?? software.name.toLowerCase()) === wanted,
    );
    const cursor = url.searchParams.get('cursor');
    const start = cursor === null ? 0 : JSON.parse(Buffer.from(cursor, 'base64url').toString()).start;
    const end = start + limit;
    const next = end < matching.length ? Buffer.from(JSON.stringify({ start: end })).toString('base64url') : null;
    sendJson(response, {
      data: matching.slice(start, end).map((server, index) => ({
        id: start + index,
        ...server,
        open_registration: true,
        description: null,
        location: { city: 'Oslo', country: 'NO' },
        stats: { user_count: 12, status_count: 40, monthly_active_users: 3 },
      })),
      links: {
        first: null,
        last: null,
        prev: null,
        next: next === null ? null : `${url.origin}${url.pathname}?cursor=${next}`,
      },
      meta: { path: `${url.origin}${url.pathname}`, per_page: limit, next_cursor: next, prev_cursor: null },
    });
  });
}
