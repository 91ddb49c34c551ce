import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { rawRequest } from '../raw-request.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(async () => server.close());

async function sendRequest(method: string, path: string, type?: string, body?: string) {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(server.url + path, init);
  return {
    status: response.status,
    allow: response.headers.get('allow'),
    json: (await response.json()) as Record<string, unknown>,
  };
}

describe('the interface answers', () => {
  it('a body that is not JSON, or would change prototypes, with 400', async () => {
    for (const body of ['', '{', '{"a":1}x', "{'a':1}", '{"__proto__":{}}']) {
      const { status, json } = await sendRequest('POST', '/api/v1/apps', 'application/json', body);
      expect([body, status, Object.keys(json)]).toEqual([body, 400, ['message']]);
    }
  });

  it('a body over 64 KiB with 413', async () => {
    const body = JSON.stringify({ client_name: 'a'.repeat(65_536) });
    expect(await sendRequest('POST', '/api/v1/apps', 'application/json', body)).toMatchObject({
      status: 413,
      json: { message: 'The body is larger than 65536 bytes.' },
    });
    expect(await sendRequest('POST', '/oauth/token', 'application/json', body)).toMatchObject({
      status: 413,
      json: { error: 'invalid_request', error_description: 'The body is larger than 65536 bytes.' },
    });
  });

  it('a body that is neither JSON nor a form with 415', async () => {
    for (const type of ['text/plain', 'application/xml', 'nonsense']) {
      expect(await sendRequest('POST', '/api/v1/apps', type, 'x')).toMatchObject({
        status: 415,
        json: { message: expect.stringMatching(/^The body must be JSON or a form/) },
      });
      expect(await sendRequest('POST', '/oauth/revoke', type, 'x')).toMatchObject({
        status: 415,
        json: { error: 'invalid_request' },
      });
    }
  });

  it('a body that is not the multipart form of its content type with 400', async () => {
    for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
      expect(await sendRequest('POST', '/api/v1/apps', type, 'x')).toMatchObject({
        status: 400,
        json: { message: expect.stringMatching(/^The body is not multipart/) },
      });
      expect(await sendRequest('POST', '/oauth/token', type, 'x')).toMatchObject({
        status: 400,
        json: { error: 'invalid_request' },
      });
    }
  });

  it.each([
    ['POST', '/api/v1/config', 'GET, HEAD'],
    ['GET', '/api/v1/apps', 'POST'],
    ['DELETE', '/api/v1/video/1', 'GET, HEAD'],
    ['PUT', '/nodeinfo/2.0?x=1', 'GET, HEAD'],
    ['PATCH', '/oauth/authorize', 'GET, HEAD, POST'],
  ])('%s %s with 405 and Allow: %s', async (method, path, allow) => {
    expect(await sendRequest(method, path)).toEqual({
      status: 405,
      allow,
      json: { message: `The ${method} method is not supported here.` },
    });
  });

  it('GET on the token endpoint with 405 and an OAuth error', async () => {
    expect(await sendRequest('GET', '/oauth/token?code=1')).toMatchObject({
      status: 405,
      allow: 'POST',
      json: { error: 'invalid_request' },
    });
  });

  it('an unknown path with 404, for any method and body', async () => {
    const expected = { status: 404, allow: null, json: { message: 'Not Found.' } };
    expect(await sendRequest('DELETE', '/api/v1/unknown')).toEqual(expected);
    expect(await sendRequest('POST', '/api/v1/unknown', 'text/xml', '<x/>')).toEqual(expected);
    expect(await sendRequest('POST', '/api/v1/unknown', 'application/json', '{')).toEqual(expected);
    expect(await sendRequest('POST', '/api/v1/unknown', 'application/json', 'x'.repeat(70_000))).toEqual(expected);
  });

  it('a path with invalid percent-encoding like the path of an unknown route or video', async () => {
    const recordNotFound = { data: [], error: { code: 404, message: 'Record not found.' } };
    for (const [path, json] of [
      ['/%', { message: 'Not Found.' }],
      ['/%ff', { message: 'Not Found.' }],
      ['/oauth/token%zz', { message: 'Not Found.' }],
      ['/api/v1/video/%c0%ae', recordNotFound],
      ['/api/v1/video/%zz', recordNotFound],
    ] as const) {
      const answer = await rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect([path, answer.status, JSON.parse(answer.body)]).toEqual([path, 404, json]);
      expect([path, answer.header('access-control-allow-origin')]).toEqual([path, '*']);
    }
  });

  it('every equivalent spelling of a path in the same way', async () => {
    const body = JSON.stringify({ a: 'x'.repeat(70_000) });
    expect(await sendRequest('POST', '/%6fauth/token', 'application/json', body)).toMatchObject({
      status: 413,
      json: { error: 'invalid_request' },
    });
    expect(await sendRequest('POST', '/%61pi/v1/config')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
  });

  it('bytes that are not HTTP with 400, and request headers over 16 KiB with 431, as JSON', async () => {
    for (const [bytes, status, message] of [
      ['HELO there\r\n\r\n', 400, 'The request is not HTTP.'],
      [
        `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
        431,
        'The request line and the headers are too large together.',
      ],
    ] as const) {
      const answer = await rawRequest(server.url, bytes);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { message }]);
      expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.header('access-control-allow-origin')).toBe('*');
    }
  });

  it('a request without Host with 400, and an unknown Expect header with 417, without a body', async () => {
    for (const [head, status] of [
      ['GET / HTTP/1.1', 400],
      ['GET / HTTP/1.1\r\nHost: a\r\nExpect: more', 417],
    ] as const) {
      const answer = await rawRequest(server.url, `${head}\r\nConnection: close\r\n\r\n`);
      // The body is chunked and empty: it consists of the last chunk alone.
      expect([answer.status, answer.body]).toEqual([status, '0\r\n\r\n']);
    }
  });

  it('a body of wrong length or in malformed chunks with 4xx or not at all, and the next request with 200', async () => {
    const head = 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n';
    for (const rest of [
      'Content-Length: 5\r\n\r\n{}',
      'Content-Length: -1\r\n\r\n{}',
      'Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ]) {
      const { status } = await rawRequest(server.url, head + rest, { endEarly: true });
      const endedWithoutResponse = status === 0;
      const isClientError = status >= 400 && status < 500;
      expect([rest, endedWithoutResponse || isClientError]).toEqual([rest, true]);
    }
    expect((await fetch(`${server.url}/api/v1/config`)).status).toBe(200);
  });
});
