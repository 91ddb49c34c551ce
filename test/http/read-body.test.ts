import type { ServerResponse } from 'node:http';
import {
  brotliCompressSync,
  constants,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openClient, serveTcp, serveTls, urlOf } from './loopback.ts';

const limit = 64 * 1_024;
const encoders: [encoding: string, encode: (body: Uint8Array) => Uint8Array][] = [
  ['gzip', gzipSync],
  ['X-Gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', (body) => deflateSync(body, { level: 9, windowBits: 9 })],
  // Raw deflate without the zlib header, which some servers send.
  ['deflate', deflateRawSync],
  ['zstd', zstdCompressSync],
];
/**
 * More raw deflate. Its first bytes, by which the client tells it from zlib, are unusual: stored blocks, and blocks without
 * back-references.
 */
const unusualDeflate: typeof encoders = [
  ['deflate', (body) => deflateRawSync(body, { level: 0 })],
  ['deflate', (body) => deflateRawSync(body, { strategy: constants.Z_HUFFMAN_ONLY })],
];
const get = (server: { port: number }, scheme = 'https') =>
  openClient({ maxBodyBytes: limit }).get(urlOf(server, '/', scheme), { accept: '*/*' });

/** Writes an endless body until the connection closes. */
function writeEndlessly(response: ServerResponse, chunk = Buffer.alloc(16_384, 'x')): void {
  const writeMore = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', writeMore);
  };
  writeMore();
}

describe('a body', () => {
  it.each([...encoders, ...unusualDeflate])('compressed with %s is read', async (encoding, encode) => {
    const server = await serveTls((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(encode(Buffer.from('{"app":{}}')));
    });
    const result = await get(server);
    if (result.kind !== 'answer') throw new Error(result.failure);
    expect(Buffer.from(result.body).toString()).toBe('{"app":{}}');
    expect(result.bytes).toBe(10);
  });

  it.each(encoders)('compressed with %s is aborted when it expands beyond the limit', async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(3 * 1_024 * 1_024));
    expect(bomb.length).toBeLessThan(limit);
    const server = await serveTls((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    });
    const result = await get(server);
    expect(result).toMatchObject({ kind: 'failure', failure: 'body-too-large', status: 200 });
    // The body is decompressed in chunks, not at once.
    expect(result.bytes).toBeLessThan(1_024 * 1_024);
  });

  it('of endless empty gzip members is aborted', async () => {
    const members = Buffer.concat(Array(1_000).fill(gzipSync('')));
    const server = await serveTls((_request, response) =>
      writeEndlessly(response.setHeader('content-encoding', 'gzip'), members),
    );
    expect(await get(server)).toMatchObject({ failure: 'body-too-large', status: 200, bytes: 0 });
  });

  it('of exactly the limit is read; one byte more is body-too-large', async () => {
    const server = await serveTls((request, response) =>
      response.end(Buffer.alloc(request.url === '/' ? limit : limit + 1)),
    );
    expect(await get(server)).toMatchObject({ kind: 'answer', bytes: limit });
    const result = await openClient({ maxBodyBytes: limit }).get(urlOf(server, '/more'), { accept: '*/*' });
    expect(result).toMatchObject({ kind: 'failure', failure: 'body-too-large' });
  });

  it.each(encoders)(
    'compressed with %s is truncated at truncateAtBytes without a failure',
    async (encoding, encode) => {
      const server = await serveTls((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(encode(Buffer.alloc(1_024 * 1_024, 'x')));
      });
      for (const truncateAtBytes of [1, limit, 2 * limit]) {
        const client = openClient({ maxBodyBytes: limit });
        const result = await client.get(urlOf(server), { accept: '*/*', truncateAtBytes });
        if (result.kind !== 'answer') throw new Error(result.failure);
        expect([result.bytes, result.body.length]).toEqual([truncateAtBytes, truncateAtBytes]);
      }
    },
  );

  it('not longer than truncateAtBytes is complete, and its connection stays open', async () => {
    const server = await serveTls((_request, response) => response.end(Buffer.alloc(limit, 'x')));
    const client = openClient({ maxBodyBytes: 1 });
    for (const truncateAtBytes of [limit, limit + 1])
      expect(await client.get(urlOf(server), { accept: '*/*', truncateAtBytes })).toMatchObject({ bytes: limit });
    expect(server.accepted).toBe(1);
  });

  it('without end is truncated at truncateAtBytes, and the client can send the next request', async () => {
    const server = await serveTls((request, response) =>
      request.url === '/robots.txt' ? writeEndlessly(response) : response.end('{}'),
    );
    const client = openClient();
    const first = await client.get(urlOf(server, '/robots.txt'), { accept: '*/*', truncateAtBytes: limit });
    expect(first).toMatchObject({ kind: 'answer', status: 200, bytes: limit });
    expect(await client.get(urlOf(server, '/x'), { accept: '*/*' })).toMatchObject({ kind: 'answer', bytes: 2 });
  });

  it('without end is aborted and its connection closed', async () => {
    const server = await serveTls((_request, response) => writeEndlessly(response));
    expect(await get(server)).toMatchObject({ kind: 'failure', failure: 'body-too-large', status: 200 });
  });

  it.each([404, 410, 429, 500, 301])('without end does not change the result of a %i', async (status) => {
    const server = await serveTls((_request, response) => {
      writeEndlessly(response.writeHead(status, { 'retry-after': '7', location: '/x' }));
    });
    expect(await get(server)).toMatchObject({ kind: 'answer', status, headers: { 'retry-after': '7' } });
  });

  it('larger than one output buffer is decompressed completely', async () => {
    const body = Buffer.from(Array.from({ length: 40_000 }, (_, n) => `${(n * 7_919) % 10_007},`).join(''));
    const server = await serveTls((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
    });
    const result = await openClient().get(urlOf(server), { accept: '*/*' });
    if (result.kind !== 'answer') throw new Error(result.failure);
    expect(Buffer.from(result.body).equals(body)).toBe(true);
  });

  it.each([
    ['truncated before its Content-Length', 'Content-Length: 20\r\n\r\nhello', 'connection-reset'],
    ['truncated in a chunk', 'Transfer-Encoding: chunked\r\n\r\n9\r\nhello', 'connection-reset'],
    ['truncated between chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', 'connection-reset'],
    ['with invalid gzip', 'Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello', 'invalid-encoding'],
    ['in brotli', 'Content-Encoding: br\r\nContent-Length: 5\r\n\r\nhello', 'unsupported-encoding'],
    ['compressed twice', 'Content-Encoding: gzip, gzip\r\nContent-Length: 5\r\n\r\nhello', 'unsupported-encoding'],
    ['with invalid deflate', 'Content-Encoding: deflate\r\nContent-Length: 5\r\n\r\nhello', 'invalid-encoding'],
    ['with invalid zstd', 'Content-Encoding: zstd\r\nContent-Length: 5\r\n\r\nhello', 'invalid-encoding'],
  ])('%s is a failure of a 200, but not of a 404', async (_what, headersAndBody, failure) => {
    const server = await serveTcp((socket) => {
      socket.once('data', (request) => {
        socket.end(`HTTP/1.1 ${String(request).startsWith('GET /missing') ? 404 : 200} Whatever\r\n${headersAndBody}`);
      });
    });
    expect(await get(server, 'http')).toMatchObject({ kind: 'failure', failure, status: 200 });
    const missing = await openClient().get(urlOf(server, '/missing', 'http'), { accept: '*/*' });
    expect(missing).toMatchObject({ kind: 'answer', status: 404 });
  });

  it.each([
    ['that ends with the connection', 'HTTP/1.1 200 OK\r\n\r\nhello', 5],
    ['of zero bytes', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 0],
    ['of zero bytes, compressed,', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n', 0],
    ['of a 204', 'HTTP/1.1 204 No Content\r\n\r\n', 0],
    ['in an unknown encoding', 'HTTP/1.1 200 OK\r\nContent-Encoding: other\r\nContent-Length: 5\r\n\r\nhello', 5],
    [
      'after interim responses',
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
      5,
    ],
  ])('%s is read as sent', async (_what, answer, bytes) => {
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(answer)));
    expect(await get(server, 'http')).toMatchObject({ kind: 'answer', bytes });
  });
});

describe('an unsupported encoding', () => {
  it('is not offered, and is named in the result', async () => {
    const server = await serveTls((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip, deflate, zstd');
      response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('{}'));
    });
    expect(await get(server)).toMatchObject({
      failure: 'unsupported-encoding',
      status: 200,
      detail: 'the body has the encoding "br"',
    });
  });

  it('is zstd with a window above 8 MB (RFC 9659)', async () => {
    const windowLog = constants.ZSTD_c_windowLog;
    for (const [log, kind] of [
      // The window has 2 ** log bytes: 8 MB, then 16 MB.
      [23, 'answer'],
      [24, 'failure'],
    ] as const) {
      // The content size is not announced: a size below the window would shrink the window.
      const compressor = createZstdCompress({ params: { [windowLog]: log } });
      const server = await serveTls((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'zstd' });
        compressor.pipe(response);
        compressor.write('{"app":');
        compressor.flush(() => compressor.end('{}}'));
      });
      expect(await get(server), String(log)).toMatchObject({ kind });
    }
  });
});

describe('a body in chunks', () => {
  const chunked = (bytes: number, count: number, extension = '') => {
    const body = `${bytes.toString(16)}${extension}\r\n${'x'.repeat(bytes)}\r\n`.repeat(count);
    return serveTcp((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`)),
    );
  };

  it('of 64 bytes is read', async () => {
    const result = await openClient().get(urlOf(await chunked(64, 4_096), '/', 'http'), { accept: '*/*' });
    expect(result).toMatchObject({ kind: 'answer', bytes: 262_144 });
  });

  it('of three bytes, as a server sends JSON token by token, is read', async () => {
    expect(await get(await chunked(3, 4_013), 'http')).toMatchObject({ kind: 'answer', bytes: 12_039 });
  });

  it('of one byte is read up to 8,192 chunks', async () => {
    expect(await get(await chunked(1, 8_192), 'http')).toMatchObject({ kind: 'answer', bytes: 8_192 });
    expect(await get(await chunked(1, 8_193), 'http')).toMatchObject({
      failure: 'invalid-http',
      status: 200,
      detail: '8193 chunks of fewer than 32 bytes on average',
    });
  });

  it('with extensions is read up to 256 KB of chunk headers', async () => {
    const extension = `;${'x'.repeat(4_000)}`;
    expect(await get(await chunked(64, 50, extension), 'http')).toMatchObject({ kind: 'answer', bytes: 3_200 });
    expect(await get(await chunked(64, 200, extension), 'http')).toMatchObject({
      failure: 'invalid-http',
      status: 200,
      detail: expect.stringMatching(/^\d+ bytes of a body in \d+ bytes of chunk headers$/),
    });
  });
});

describe('informational answers', () => {
  const answering = (informational: string, count: number) =>
    serveTcp((socket) =>
      socket.once('data', () => {
        socket.write(informational.repeat(count));
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      }),
    );
  const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';

  it('may precede the answer, up to ten of them', async () => {
    expect(await get(await answering(hint, 10), 'http')).toMatchObject({ kind: 'answer', bytes: 2 });
    expect(await get(await answering(hint, 11), 'http')).toMatchObject({
      failure: 'invalid-http',
      status: null,
      detail: 'more than 10 informational answers (1xx)',
    });
  });

  it('without end are read only up to a limit', async () => {
    let sent = 0;
    const flood = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000));
    const server = await serveTcp((socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(flood)) sent += flood.length;
      };
      socket.once('data', pour).on('drain', pour);
    });
    expect(await get(server, 'http')).toMatchObject({ failure: 'invalid-http' });
    expect(sent).toBeLessThan(20_000_000);
  });

  it('count towards the bytes of the visit', async () => {
    const large = `HTTP/1.1 103 Early Hints\r\nLink: <${'a'.repeat(10_000)}>\r\n\r\n`;
    const server = await answering(large, 9);
    const client = openClient({ maxVisitBytes: 100_000 });
    const kinds: string[] = [];
    for (let request = 0; request < 3; request += 1) {
      const result = await client.get(urlOf(server, '/', 'http'), { accept: '*/*' });
      kinds.push(result.kind === 'answer' ? result.kind : result.failure);
    }
    expect(kinds).toEqual(['answer', 'answer', 'body-too-large']);
  });
});

describe('a server that sends random bytes', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.0 404 No\r\n',
      'HTTP/1.1 301 Moved\r\n',
      'HTTP/1.1 100 Go on\r\n\r\n',
      'HTTP/2 200\r\n',
    ),
    fc.constantFrom(
      'Content-Length: 5\r\n',
      'Content-Length: -1\r\n',
      'Transfer-Encoding: chunked\r\n',
      'Connection: close\r\n',
    ),
    fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'gzip, br').map((encoding) => `Content-Encoding: ${encoding}\r\n`),
    fc.constantFrom('\r\n', '5\r\nhello\r\n', '0\r\n\r\n', 'hello', 'Connection: upgrade\r\nUpgrade: x\r\n'),
    fc.string({ maxLength: 20 }),
  );
  const compressed = fc.tuple(fc.constantFrom('gzip', 'br', 'deflate', 'zstd'), fc.uint8Array({ maxLength: 60 }));
  const bytes = fc.oneof(
    fc.array(part, { maxLength: 8 }).map((parts) => Buffer.from(`HTTP/1.1 200 OK\r\n${parts.join('')}`, 'latin1')),
    fc.array(part, { maxLength: 8 }).map((parts) => Buffer.from(parts.join(''), 'latin1')),
    compressed.map(([encoding, body]) =>
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\n\r\n`), body]),
    ),
  );

  it('never makes the client throw', async () => {
    let answer: Uint8Array = Buffer.alloc(0);
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(answer)));
    await fc.assert(
      fc.asyncProperty(bytes, async (sample) => {
        answer = sample;
        const result = await get(server, 'http');
        expect(['answer', 'failure']).toContain(result.kind);
      }),
      { numRuns: 30 },
    );
  });

  it('instead of a TLS handshake causes tls-failed or connection-reset', async () => {
    // Content type (change of cipher, alert, handshake, data), version (SSL 2, TLS 1.0, TLS 1.2) and body.
    const record = fc
      .tuple(fc.constantFrom(20, 21, 22, 23), fc.constantFrom(0x0200, 0x0301, 0x0303), fc.uint8Array({ maxLength: 60 }))
      .map(([type, version, body]) =>
        Buffer.concat([Buffer.from([type, version >> 8, version & 255, 0, body.length]), body]),
      );
    // A fatal alert with any code.
    const alert = fc.integer({ min: 0, max: 120 }).map((code) => Buffer.from([21, 3, 3, 0, 2, 2, code]));
    let answer: Uint8Array = Buffer.alloc(0);
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(answer)));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(record, alert)), async (records) => {
        answer = Buffer.concat(records);
        const result = await get(server);
        expect(result).toMatchObject({
          kind: 'failure',
          failure: expect.stringMatching(/^tls-failed$|^connection-reset$/),
        });
      }),
      { numRuns: 20 },
    );
  });
});
