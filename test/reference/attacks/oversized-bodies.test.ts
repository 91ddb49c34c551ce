import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, callback, createConsentVisitor, postJson, register } from '../consent-visitor.ts';
import { rawRequest } from '../raw-request.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(async () => server.close());

const paths = ['/oauth/token', '/oauth/revoke', '/api/v1/apps'];

describe('an oversized or malformed body', () => {
  it('is refused for its Content-Length before it is read', async () => {
    for (const path of paths) {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n`;
      const answer = await rawRequest(server.url, `${head}Content-Length: 100000000000\r\n\r\n{`);
      expect([path, answer.status]).toEqual([path, 413]);
    }
  });

  it('without a Content-Length is refused while it is read', async () => {
    for (const path of paths) {
      const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n`;
      // Six of these chunks of 16 KiB exceed the limit of 64 KiB.
      const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
      const answer = await rawRequest(server.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(6)}`);
      expect([path, answer.status]).toEqual([path, 413]);
    }
  });

  it('of a consent form is refused with an HTML page', async () => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.open(authorizeQuery(await register(server)));
    // Beyond the limit of 65,536 bytes.
    const answer = await visitor.submit(page, 'sign-in', { username: 'x'.repeat(70_000) });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });

  it('of deep, long or unusual JSON within the size limit is answered with 4xx', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    const many = `{${Array.from({ length: 5_000 }, (_, index) => `"${index}":1`).join()}}`;
    const uris = JSON.stringify({
      client_name: 'a',
      redirect_uris: Array.from({ length: 1_500 }, (_, index) => `${callback}${index}`),
    });
    const bodies = [
      deep,
      `{"client_id":${deep}}`,
      many,
      uris,
      '{"client_id":"\\ud800"}',
      '{"client_id":"\\u0000"}',
      '\ufeff{}',
      'null',
      '1e999',
      '{"a":1,"a":2}',
    ];
    for (const path of paths) {
      for (const body of bodies) {
        const { status } = await postJson(server.url + path, body);
        expect([path, body.slice(0, 30), status >= 400 && status < 500]).toEqual([path, body.slice(0, 30), true]);
      }
    }
  });

  it('of a form with brackets, repeats, broken percent-encoding or 10,000 fields is answered with 4xx', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const bodies = [
      'client_id[]=a&client_id[b]=c',
      '%',
      '%zz=%ff&=&&&',
      'a=1&'.repeat(10_000),
      '__proto__=a&constructor=b',
      'grant_type=%00',
    ];
    for (const path of paths) {
      for (const body of bodies) {
        const { status } = await fetch(server.url + path, { method: 'POST', headers, body });
        expect([path, body.slice(0, 30), status >= 400 && status < 500]).toEqual([path, body.slice(0, 30), true]);
      }
    }
  });

  it('does not change object prototypes', async () => {
    for (const body of ['{"constructor":{"prototype":{"polluted":1}}}', '{"__proto__":{"polluted":1}}']) {
      for (const path of paths) await postJson(server.url + path, body);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('compressed with gzip is not decompressed', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    // Without the compression, this body registers an app.
    const body = gzipSync(JSON.stringify({ client_name: 'a', redirect_uris: callback }));
    for (const path of paths) {
      const answer = await fetch(server.url + path, { method: 'POST', headers, body });
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        400,
        expect.stringContaining('The body is not JSON.'),
      ]);
    }
  });
});
