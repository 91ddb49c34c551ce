import { sendJson, serveList } from './serve-list.ts';

export interface MisskeyServer {
  /** Host and software of each; null if the software is unknown. */
  instances: readonly (readonly [host: string, software: string | null])[];
  /** Maximum page size, whatever the request. */
  cap?: number;
  /** Whether the server ignores the offset. */
  isStuck?: boolean;
  /** Number of requests before a 429. */
  allowance?: number;
  /** Retry-After of the 429. After '0', the server answers another `allowance` requests; after any other value, none. */
  retryAfter?: string;
  isClosed?: boolean;
}

const error = (code: string, message: string) => ({
  error: { message, code, id: '00000000-0000-4000-8000-000000000000', kind: 'client' },
});

/** POST /api/federation/instances {limit 1..100, offset, sort}. The default order is newest first. */
export function serveMisskey({ instances, cap = 100, isStuck, allowance, retryAfter, isClosed }: MisskeyServer) {
  let answered = 0;
  return serveList(({ method, url, headers, body }, response) => {
    if (
      method !== 'POST' ||
      url.pathname !== '/api/federation/instances' ||
      headers['content-type'] !== 'application/json'
    )
      return sendJson(response, error('UNKNOWN_API_ENDPOINT', 'Unknown API endpoint.'), 404);
    if (isClosed) return sendJson(response, error('CREDENTIAL_REQUIRED', 'Credential required.'), 401);
    answered += 1;
    if (answered > (allowance ?? Number.POSITIVE_INFINITY)) {
      const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      if (retryAfter === '0') answered = 0;
      return sendJson(response, error('RATE_LIMIT_EXCEEDED', 'Rate limit exceeded.'), 429, wait);
    }
    const { limit = 30, offset = 0, sort } = JSON.parse(body);
    if (!(limit >= 1 && limit <= 100)) return sendJson(response, error('INVALID_PARAM', 'Invalid param.'), 400);
    const sorted = sort === '-firstRetrievedAt' ? instances : instances.toReversed();
    const start = isStuck ? 0 : offset;
    const page = sorted.slice(start, start + Math.min(limit, cap));
    sendJson(
      response,
      page.map(([host, softwareName], index) => ({
        id: `9${offset + index}`,
        firstRetrievedAt: '2023-01-01T00:00:00.000Z',
        host,
        usersCount: 3,
        notesCount: 5,
        isNotResponding: false,
        isSuspended: false,
        isBlocked: false,
        softwareName,
        softwareVersion: softwareName === null ? null : '1.0',
        infoUpdatedAt: null,
      })),
    );
  });
}
