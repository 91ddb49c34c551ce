import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { rawRequest } from '../raw-request.ts';
import { storeToken } from '../store-token.ts';

afterEach(() => {
  vi.useRealTimers();
});

const get = (server: ReferenceServer, path = '/api/v1/config', headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers });
const getStatuses = async (server: ReferenceServer, count: number, path?: string, headers?: Record<string, string>) => {
  const received = [];
  for (let sent = 0; sent < count; sent += 1) received.push((await get(server, path, headers)).status);
  return received;
};

describe('the rate limit', () => {
  it('responds with 429, with Retry-After in seconds and the same number in the body', async () => {
    await using server = await createReferenceServer({ rateLimit: { perMinute: 1, perHour: 10 } });
    expect((await get(server)).headers.get('x-ratelimit-remaining')).toBe('0');
    const response = await get(server);
    const seconds = Number(response.headers.get('retry-after'));
    expect(response.status).toBe(429);
    // The minute began with the first request, at most ten seconds ago.
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ message: 'Too many requests', retry_after: seconds });
  });

  it('reports the limit and the remaining attempts in every response', async () => {
    await using server = await createReferenceServer({ rateLimit: { perMinute: 3, perHour: 10 } });
    const headerPairs = [];
    for (let sent = 0; sent < 4; sent += 1) {
      const { headers } = await get(server);
      headerPairs.push([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]);
    }
    // The limit and the remaining attempts.
    expect(headerPairs).toEqual([
      ['3', '2'],
      ['3', '1'],
      ['3', '0'],
      ['3', '0'],
    ]);
  });

  it('is 60 a minute and 700 an hour in the profile live', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
    await using server = await createReferenceServer({ profile: 'live' });
    for (let minute = 0; minute < 11; minute += 1) {
      expect(await getStatuses(server, 60)).toEqual(Array(60).fill(200));
      expect(await getStatuses(server, 1)).toEqual([429]);
      vi.setSystemTime(Date.now() + 60_000);
    }
    // Refused attempts count too: 11 minutes with 61 attempts leave 29 of 700.
    expect(await getStatuses(server, 29)).toEqual(Array(29).fill(200));
    const response = await get(server);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, String(3_600 - 11 * 60)]);
  });

  it('limits an address for a minute from its first request, and then starts a new minute', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1), toFake: ['Date'] });
    await using server = await createReferenceServer({ rateLimit: { perMinute: 3, perHour: 100 } });
    const passSeconds = (seconds: number) => vi.setSystemTime(Date.now() + 1_000 * seconds);
    const retryAfter = async () => (await get(server)).headers.get('retry-after');
    expect(await retryAfter()).toBeNull();
    passSeconds(20);
    expect([await retryAfter(), await retryAfter(), await retryAfter()]).toEqual([null, null, '40']);
    passSeconds(39.5);
    expect(await retryAfter()).toBe('1');
    passSeconds(0.5);
    expect([await retryAfter(), await retryAfter(), await retryAfter(), await retryAfter()]).toEqual([
      null,
      null,
      null,
      '60',
    ]);
  });

  it('reports the window with fewer attempts left, and counts every address separately', async () => {
    await using server = await createReferenceServer({ rateLimit: { perMinute: 10, perHour: 4 } });
    const limitHeaders = async (remoteAddress: string) => {
      const { headers } = await server.app.inject({ url: '/api/v1/config', remoteAddress });
      return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    };
    expect(await limitHeaders('127.0.0.1')).toEqual(['4', '3']);
    expect(await limitHeaders('127.0.0.1')).toEqual(['4', '2']);
    expect(await limitHeaders('127.0.0.2')).toEqual(['4', '3']);
  });

  it('is off in the profile spec, and then sends no headers', async () => {
    await using server = await createReferenceServer();
    expect(new Set(await getStatuses(server, 100))).toEqual(new Set([200]));
    expect((await get(server)).headers.has('x-ratelimit-limit')).toBe(false);
  });

  it('can be set, changed and lifted while the server runs', async () => {
    await using server = await createReferenceServer();
    server.state.rateLimit = { perMinute: 2, perHour: 10 };
    expect(await getStatuses(server, 3)).toEqual([200, 200, 429]);
    // The three attempts so far remain counted.
    server.state.rateLimit.perMinute = 5;
    expect(await getStatuses(server, 3)).toEqual([200, 200, 429]);
    server.state.rateLimit = null;
    expect(await getStatuses(server, 3)).toEqual([200, 200, 200]);
  });

  it('refuses a request before its body is read, but after the faults were applied', async () => {
    await using server = await createReferenceServer({ rateLimit: { perMinute: 1, perHour: 10 } });
    await get(server);
    const unfinishedJson = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
    expect((await fetch(`${server.url}/api/v1/apps`, unfinishedJson)).status).toBe(429);
    server.state.faults = [{ route: '*', fault: 'status', status: 418 }];
    expect((await get(server)).status).toBe(418);
  });

  it('counts only requests below /api/, also those without a route', async () => {
    await using server = await createReferenceServer({ rateLimit: { perMinute: 3, perHour: 10 } });
    for (const path of ['/.well-known/nodeinfo', '/nodeinfo/2.0', '/openapi.json', '/oauth/unknown', '/robots.txt']) {
      expect((await get(server, path)).status).not.toBe(429);
    }
    expect(await getStatuses(server, 1, '/api/v1/video/1')).toEqual([404]);
    expect(await getStatuses(server, 1, '/api/v1/unknown')).toEqual([404]);
    expect(await getStatuses(server, 1, '/api/v1/account/info/self')).toEqual([401]);
    expect(await getStatuses(server, 1)).toEqual([429]);
    expect((await get(server, '/nodeinfo/2.0')).status).toBe(200);
  });

  it('counts every equivalent spelling of a path', async () => {
    await using server = await createReferenceServer({ rateLimit: { perMinute: 2, perHour: 10 } });
    expect(await getStatuses(server, 3, '/%61pi/v1/conf%69g')).toEqual([200, 200, 429]);
    // The absolute form of a request target names the host too.
    const request = `GET http://a.example/api/v1/config HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`;
    expect((await rawRequest(server.url, request)).status).toBe(429);
  });

  it('counts a request unless its token is valid', async () => {
    await using server = await createReferenceServer({ rateLimit: { perMinute: 2, perHour: 10 } });
    const headers = storeToken(server.state, { username: 'ada' });
    expect(new Set(await getStatuses(server, 5, '/api/v1/account/info/self', headers))).toEqual(new Set([200]));
    expect(await getStatuses(server, 3, '/api/v1/config', { authorization: 'Bearer unknown' })).toEqual([
      200, 200, 429,
    ]);
    expect(await getStatuses(server, 1, '/api/v1/config', headers)).toEqual([200]);
  });

  it('is separate for each server', async () => {
    await using first = await createReferenceServer({ rateLimit: { perMinute: 1, perHour: 10 } });
    await using second = await createReferenceServer({ rateLimit: { perMinute: 1, perHour: 10 } });
    expect([await getStatuses(first, 2), await getStatuses(second, 2)]).toEqual([
      [200, 429],
      [200, 429],
    ]);
  });
});
