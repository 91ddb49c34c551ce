import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StoreError } from '../../src/store/sqlite/store-error.ts';
import { hour, unreachableVisit } from '../store/sample-visit.ts';
import { fillStore, nameOf, START, visitOnce } from './fill-store.ts';
import { openApi, shareApi } from './open-api.ts';

const fill = (store: Parameters<typeof fillStore>[0]) => fillStore(store, 20);
const shared = shareApi(fill);
const list = '/api/v1/instances';

/** Sends raw bytes and returns the full response. */
async function send(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

describe('a response', () => {
  test.each([list, `${list}/${nameOf(1)}`, '/api/v1/stats', `/api/v1/domains/${nameOf(1)}`, '/api', '/openapi.json'])(
    'of %s has a weak ETag, and is 304 for a client that sends it',
    async (url) => {
      const { get, api } = shared();
      const { headers, text } = await get(url);
      expect(headers.etag).toMatch(/^W\/"[\w-]{27}"$/);
      expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
      for (const condition of [headers.etag, headers.etag?.slice(2), `"x", ${headers.etag}`, '*']) {
        const again = await get(url, { 'if-none-match': String(condition) });
        expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
        for (const name of ['access-control-allow-origin', 'vary', 'cache-control']) {
          expect(again.headers[name], name).toBe(headers[name]);
          expect(again.headers[name], name).toBeDefined();
        }
      }
      expect((await get(url, { 'if-none-match': '"x"' })).text).toBe(text);
      const head = await api.inject({ method: 'HEAD', url });
      expect([head.statusCode, head.payload, head.headers.etag]).toEqual([200, '', headers.etag]);
      expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(text));
    },
  );

  test('is compressed with an accepted encoding, under the same ETag', async () => {
    const { api, get } = shared();
    const { text, headers } = await get(list);
    for (const [accepted, encoding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0.1, gzip;q=0.9', 'gzip', gunzipSync],
      ['*', 'gzip', gunzipSync],
    ] as const) {
      const answer = await api.inject({ url: list, headers: { 'accept-encoding': accepted } });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers.vary).toBe('accept-encoding');
      expect(decode(answer.rawPayload).toString()).toBe(text);
      expect(answer.headers.etag).toBe(headers.etag);
      const again = await get(list, { 'if-none-match': String(headers.etag), 'accept-encoding': accepted });
      expect([again.status, again.headers.etag]).toEqual([304, headers.etag]);
    }
    for (const accepted of ['identity', 'br;q=0', 'zstd', 'identity, gzip;q=0.5']) {
      const answer = await get(list, { 'accept-encoding': accepted });
      expect([answer.headers['content-encoding'], answer.text]).toEqual([undefined, text]);
    }
  });

  test('is compressed even when it is too large to be compressed on the request thread', async () => {
    const { api, get } = await openApi((store) => fillStore(store, 400));
    const url = `${list}?limit=400`;
    const { text } = await get(url);
    expect(text.length).toBeGreaterThan(256 * 1_024);
    const { headers, rawPayload } = await api.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    expect([headers['content-encoding'], gunzipSync(rawPayload).toString()]).toEqual(['gzip', text]);
  });

  test('is not compressed when it is small, whatever the client accepts', async () => {
    const { get } = shared();
    const { text } = await get('/api/v1/software');
    expect(text.length).toBeLessThan(1_024);
    for (const accepted of ['gzip', 'identity;q=0', '*;q=0'])
      expect((await get('/api/v1/software', { 'accept-encoding': accepted })).text).toBe(text);
  });

  test.each(['instances', 'changes', 'stats', 'versions', 'software'])(
    'of %s contains the time of its creation, and its ETag does not depend on that time',
    async (name) => {
      let at = START + 24 * hour;
      const { get, store } = await openApi(fill, { now: () => at });
      const url = `/api/v1/${name}`;
      const first = await get(url);
      expect(first.json().generatedAt).toBe(new Date(START + 24 * hour).toISOString());
      at += hour;
      const again = await get(url, { 'if-none-match': String(first.headers.etag) });
      expect(again.status).toBe(304);
      if (name !== 'changes') return;
      visitOnce(store, nameOf(3), at, unreachableVisit(nameOf(3), at));
      const { changes, generatedAt } = (await get(url)).json();
      expect(changes[0]).toMatchObject({ domain: nameOf(3), after: 'failing' });
      expect(generatedAt).toBe(new Date(at).toISOString());
    },
  );

  test('can be read from any origin, and forbids embedding and external content', async () => {
    const { api, get } = await openApi();
    for (const url of [list, '/api', '/nothing']) {
      const { headers } = await get(url);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("default-src 'self';object-src 'none'"),
      });
      for (const part of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"]) {
        expect(headers['content-security-policy']).toContain(part);
      }
      const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
      for (const name of ['etag', 'retry-after', 'ratelimit-remaining']) expect(exposed).toContain(name);
    }
    const preflight = await api.inject({ method: 'OPTIONS', url: list });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'if-none-match',
    });
  });
});

describe('an error response is a problem document', () => {
  test.each([
    [404, 'GET', '/nothing'],
    [404, 'POST', '/nothing'],
    [404, 'GET', `${list}/unheard-of.org`],
    [404, 'GET', '/api/v1/domains/unheard-of.org'],
    [404, 'GET', `${list}/not-public.example`],
    [404, 'POST', '/instances.json'],
    [405, 'POST', '/schema/instances.json'],
    [405, 'POST', list],
    [405, 'DELETE', `${list}/${nameOf(1)}`],
    [400, 'GET', `${list}/127.0.0.1`],
    [400, 'GET', `${list}/%ff`],
    [414, 'GET', `${list}?version=${'1'.repeat(5_000)}`],
    [414, 'GET', `${list}/${'a'.repeat(400)}`],
  ] as const)('%i to %s %s', async (status, method, url) => {
    const { api } = shared();
    const answer = await api.inject({ method, url, ...(method === 'POST' ? { payload: '{' } : {}) });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toMatchObject({ type: 'about:blank', status, detail: expect.any(String) });
    if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test('without an ETag, and never a 304', async () => {
    const { get } = shared();
    for (const url of ['/nothing', `${list}/unheard-of.org`]) {
      const { status, headers } = await get(url, { 'if-none-match': '*' });
      expect([status, headers.etag]).toEqual([404, undefined]);
    }
  });

  test('that is meant as the answer is not logged as an error', async () => {
    const error = vi.fn();
    const { api } = await openApi(fill, { logger: { error }, submissions: 'no-crawler' });
    const answer = await api.inject({ method: 'POST', url: '/api/v1/submissions', payload: { domain: 'a.org' } });
    expect(answer.statusCode).toBe(503);
    expect(error).not.toHaveBeenCalled();
  });

  test('without details of an internal error; a locked database gives 503 and a retry time', async () => {
    let fault: Error = new Error('secret');
    const { get } = await openApi(fill, {
      explain: () => {
        throw fault;
      },
    });
    const broken = await get(`/api/v1/domains/${nameOf(1)}`);
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain('secret');
    fault = new StoreError('locked', '/secret/path', 'is locked');
    const locked = await get(`/api/v1/domains/${nameOf(1)}`);
    expect([locked.status, locked.headers['retry-after']]).toEqual([503, '1']);
    expect(locked.text).not.toContain('secret');
  });

  test('even for malformed HTTP: 400 for invalid requests, 414 and 431 for long ones, and the server keeps running', async () => {
    const { api } = await openApi();
    const url = await api.listen({ host: '127.0.0.1', port: 0 });
    for (const [status, bytes] of [
      [400, 'nonsense\r\n\r\n'],
      [400, 'GET /%ff HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
      [414, `GET /api/v1/instances/${'A'.repeat(1_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`],
      [431, `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`],
    ] as const) {
      const [head = '', body = ''] = (await send(url, bytes)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toContain('content-type: application/problem+json');
      expect(JSON.parse(body)).toMatchObject({ status });
      expect((await fetch(`${url}/health`)).status).toBe(200);
    }
  });
});

describe('the rate limit', () => {
  const requestFrom = (address: string, url: string = list, forwarded?: string) => ({
    url,
    remoteAddress: address,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });

  test('gives 429 to one address or /64 network until the minute is over, and does not affect others', async () => {
    let ms = 0;
    const { api } = await openApi(fill, { ratePerMinute: 2, clock: () => ms });
    const statusOf = async (...request: Parameters<typeof requestFrom>) =>
      (await api.inject(requestFrom(...request))).statusCode;
    const first = await api.inject(requestFrom('192.0.2.1'));
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '60',
    });
    expect(await statusOf('192.0.2.1', '/nothing')).toBe(404);
    const refused = await api.inject(requestFrom('192.0.2.1'));
    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'ratelimit-remaining': '0' });
    expect(refused.json()).toMatchObject({ status: 429 });
    expect(await statusOf('::ffff:192.0.2.1')).toBe(429);
    expect(await statusOf('192.0.2.2')).toBe(200);
    expect(await statusOf('2001:db8::1')).toBe(200);
    expect(await statusOf('2001:db8::ffff:1')).toBe(200);
    expect(await statusOf('2001:db8::2')).toBe(429);
    expect(await statusOf('2001:db8:0:1::2')).toBe(200);
    ms = 60_000;
    expect(await statusOf('192.0.2.1')).toBe(200);
  });

  test('ends on time when the system clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let ms = 0;
    const { api } = await openApi(fill, { ratePerMinute: 1, clock: () => ms });
    const statusOf = async () => (await api.inject(requestFrom('192.0.2.1'))).statusCode;
    expect([await statusOf(), await statusOf()]).toEqual([200, 429]);
    vi.setSystemTime(Date.now() - 3_600_000);
    ms = 59_999;
    expect(await statusOf()).toBe(429);
    ms = 60_000;
    expect(await statusOf()).toBe(200);
  });

  test('counts requests of monitors apart from others, and limits them too', async () => {
    const { api } = await openApi(fill, { ratePerMinute: 2 });
    const statusOf = async (url: string) => (await api.inject(requestFrom('192.0.2.1', url))).statusCode;
    for (const url of [list, '/nothing', list]) await statusOf(url);
    expect([await statusOf(list), await statusOf('/health'), await statusOf('/metrics')]).toEqual([429, 200, 200]);
    expect([await statusOf('/health'), await statusOf('/metrics')]).toEqual([429, 429]);
  });

  test('counts the entries that a proxy writes for one address once, whatever their ports and form', async () => {
    for (const [first, ...others] of [
      ['203.0.113.1', '203.0.113.1:5678', '198.51.100.9, 203.0.113.1:5679'],
      ['2001:db8::1', '[2001:db8::1]:5678', '[2001:db8::2]', '2001:db8::3'],
      ['unknown', '_hidden', `${'x'.repeat(500)}:1`],
    ] as const) {
      const { api } = await openApi(fill, { ratePerMinute: 1, trustProxy: true });
      expect((await api.inject(requestFrom('192.0.2.1', list, first))).statusCode).toBe(200);
      for (const entry of others)
        expect((await api.inject(requestFrom('192.0.2.1', list, entry))).statusCode, entry).toBe(429);
    }
  });

  test('uses the client address seen by a trusted proxy, never one that the client claims', async () => {
    for (const trustProxy of [false, true]) {
      const { api } = await openApi(fill, { ratePerMinute: 1, trustProxy });
      await api.inject(requestFrom('192.0.2.1', list, '198.51.100.1, 203.0.113.1'));
      const forged = await api.inject(requestFrom('192.0.2.1', list, '198.51.100.2, 203.0.113.1'));
      expect(forged.statusCode).toBe(429);
      const other = await api.inject(requestFrom('192.0.2.1', list, '203.0.113.2'));
      expect(other.statusCode).toBe(trustProxy ? 200 : 429);
    }
  });
});

test('metrics count responses by path, method and status, in the Prometheus format', async () => {
  const { get, api } = await openApi(fill);
  await get(`${list}/${nameOf(1)}`);
  await get(`${list}/${nameOf(1)}`);
  await get('/nothing');
  await api.inject({ method: 'PUT', url: list });
  const { text } = await get('/metrics');
  const lines = text.split('\n').filter((line) => line !== '');
  for (const line of lines) expect(line).toMatch(/^(?:# (?:HELP|TYPE) .+|\w+(?:\{(?:\w+="[^"]*",?)+\})? [\d.e+-]+)$/);
  for (const line of [
    'loopscout_http_requests_total{path="/api/v1/instances/{domain}",method="GET",status="200"} 2',
    'loopscout_http_requests_total{path="/{file}",method="GET",status="404"} 1',
    'loopscout_http_requests_total{path="none",method="other",status="405"} 1',
    'loopscout_http_request_duration_seconds_count{path="/api/v1/instances/{domain}"} 2',
    'loopscout_http_request_duration_seconds_bucket{le="+Inf",path="/api/v1/instances/{domain}"} 2',
    'loopscout_instances{status="up"} 19',
    'loopscout_instances{status="down"} 1',
    'loopscout_visits_recorded_total 21',
  ])
    expect(lines).toContain(line);
});
