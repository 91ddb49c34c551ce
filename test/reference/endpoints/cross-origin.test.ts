import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(async () => server.close());

const originHeader = { origin: 'https://other.example' };
const allowedOriginAndCredentials = ({ headers }: Response) => [
  headers.get('access-control-allow-origin'),
  headers.get('access-control-allow-credentials'),
];

describe('scripts of other sites', () => {
  it('can read every response, including errors, to a request without credentials', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/config'],
      ['GET', '/api/v1/account/info/self'],
      ['GET', '/api/v1/video/0'],
      ['GET', '/api/v1/unknown'],
      ['POST', '/api/v1/apps'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/revoke'],
      ['GET', '/.well-known/nodeinfo'],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/nodeinfo/2.0'],
    ] as const) {
      const response = await fetch(server.url + path, { method, headers: originHeader });
      expect([path, allowedOriginAndCredentials(response)]).toEqual([path, ['*', null]]);
    }
  });

  it('can read the responses that fault rules cause', async () => {
    server.state.faults = [{ route: '/api/v1/config', fault: 'status', status: 503 }];
    const response = await fetch(`${server.url}/api/v1/config`, { headers: originHeader });
    server.state.faults = [];
    expect([response.status, allowedOriginAndCredentials(response)]).toEqual([503, ['*', null]]);
  });

  it('can send Authorization and JSON after a preflight request', async () => {
    const preflightHeaders = {
      ...originHeader,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const response = await fetch(`${server.url}/oauth/token`, { method: 'OPTIONS', headers: preflightHeaders });
    expect([response.status, allowedOriginAndCredentials(response)]).toEqual([204, ['*', null]]);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
  });

  it('can read Retry-After and the other exposed headers; responses without these headers expose none', async () => {
    const exposedBy = async (path: string, init: RequestInit = {}) =>
      (await fetch(server.url + path, { headers: originHeader, ...init })).headers.get('access-control-expose-headers');
    const exposed = 'Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining';
    expect(await exposedBy('/api/v1/config')).toBe(null);
    expect(await exposedBy('/api/v1/account/info/self')).toBe(exposed);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: '1', client_secret: '2' });
    expect(await exposedBy('/oauth/token', { method: 'POST', body })).toBe(exposed);
    server.state.rateLimit = { perMinute: 1, perHour: 1 };
    expect([await exposedBy('/api/v1/config'), await exposedBy('/api/v1/config')]).toEqual([exposed, exposed]);
    server.state.rateLimit = null;
    server.state.faults = [{ route: '*', fault: 'rate-limited' }];
    expect(await exposedBy('/nodeinfo/2.0')).toBe(exposed);
    server.state.faults = [];
  });

  it('cannot read the consent pages, not even after a preflight request', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const headers = { ...originHeader, 'access-control-request-method': 'POST' };
      const response = await fetch(`${server.url}/oauth/authorize`, { method, headers });
      expect([method, allowedOriginAndCredentials(response)]).toEqual([method, [null, null]]);
      // A preflight request would succeed with a 2xx status. GET and POST fail because they name no app.
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });
});
