import { createHash } from 'node:crypto';
import { sendJson, serveList } from './serve-list.ts';

/**
 * GET /api/v1/instance/peers. Mastodon sends a list of hosts with a weak ETag. It answers anonymous requests with 401 in limited
 * federation mode, and with 404 if the list is switched off. GoToSocial sends `{domain}` objects, or 401 if the list is not exposed.
 */
export function serveMastodon(peers: unknown, mode: 'open' | 'limited' | 'off' | 'gotosocial-closed' = 'open') {
  return serveList(({ method, url, headers }, response) => {
    if (method !== 'GET' || url.pathname !== '/api/v1/instance/peers')
      return sendJson(response, { error: 'Record not found' }, 404);
    if (mode === 'limited') return sendJson(response, { error: 'This method requires an authenticated user' }, 401);
    if (mode === 'off') return sendJson(response, { error: 'Record not found' }, 404);
    if (mode === 'gotosocial-closed') return sendJson(response, { error: 'Unauthorized: peers is not open' }, 401);
    const body = JSON.stringify(peers);
    const etag = `W/"${createHash('md5').update(body).digest('hex')}"`;
    if (headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
    sendJson(response, peers, 200, { etag, 'cache-control': 'max-age=86400, public' });
  });
}
