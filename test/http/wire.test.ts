import { deflateRawSync, deflateSync, gzipSync, constants as zlib, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerBlocks } from './header-blocks.ts';
import { openClient, serveTcp, urlOf } from './loopback.ts';

const json = '{"app":{"software":"loops"}}';
const length = `Content-Length: ${json.length}`;
const ok = (lines: string, body = json) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n${body}`;
const chunks = `${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`;

/** Serves the same bytes on every connection, which stays open, and requests them once. */
async function read(answer: string | Buffer, accept = '*/*') {
  const server = await serveTcp((socket) => {
    socket.on('data', () => socket.write(typeof answer === 'string' ? Buffer.from(answer, 'latin1') : answer));
  });
  const client = openClient();
  const result = await client.get(urlOf(server, '/', 'http'), { accept });
  client.close();
  return { result, accepted: server.accepted };
}

describe('an answer that strict parsers refuse is read leniently, over a second connection:', () => {
  it.each([
    ['a folded header line', ok(`X-Policy: a;\r\n  b\r\n${length}`), 'malformed-header'],
    ['a header line folded with a tab', ok(`X-Policy: a;\r\n\tb\r\n${length}`), 'malformed-header'],
    ['the last header line folded', ok(`${length}\r\nX-Policy: a\r\n b`), 'malformed-header'],
    ['a header line that begins with a fold', ok(`X-Policy:\r\n a\r\n${length}`), 'malformed-header'],
    ['a fold with nothing in it', ok(`X-Policy: a\r\n  \r\n${length}`), 'malformed-header'],
    ['a folded Content-Length', ok(`Content-Length:\r\n ${json.length}`), 'malformed-header'],
    ['a folded Transfer-Encoding', ok('Transfer-Encoding:\r\n chunked', chunks), 'malformed-header'],
    ['a space before the colon of Content-Length', ok(`Content-Length : ${json.length}`), 'malformed-header'],
    ['a folded interim answer', `HTTP/1.1 103 Early Hints\r\nLink: a\r\n b\r\n\r\n${ok(length)}`, 'malformed-header'],
    ['LF and spaces', ok(`X-Policy: a;\n  b\r\n${length}`), 'bare-line-feed'],
    ['LF after one line', ok(`X-Policy: a\n${length}`), 'bare-line-feed'],
    ['LF after every line', ok(length).replaceAll('\r', ''), 'bare-line-feed'],
    ['LF after a chunk size', ok('Transfer-Encoding: chunked', chunks.replace('\r\n', '\n')), 'bare-line-feed'],
  ])('%s', async (_what, answer, strictError) => {
    const { result, accepted } = await read(answer);
    expect(result).toMatchObject({ kind: 'answer', status: 200, strictError });
    expect(result.kind === 'answer' && Buffer.from(result.body).toString()).toBe(json);
    expect(accepted).toBe(2);
  });

  it('each line of a fold is part of the value', async () => {
    const { result } = await read(ok(`X-Policy: a;\r\n  b;\r\n\tc\r\n${length}`));
    expect(result).toMatchObject({ headers: { 'x-policy': 'a;  b;\tc' } });
  });

  it('by a client that reads the next answer strictly again', async () => {
    const server = await serveTcp((socket) => {
      socket.on('data', (data) => {
        socket.write(String(data).startsWith('GET /folded') ? ok(`X: a\r\n b\r\n${length}`) : ok(length));
      });
    });
    const client = openClient();
    const results = [];
    for (const path of ['/folded', '/strict', '/strict'])
      results.push(await client.get(urlOf(server, path, 'http'), { accept: '*/*' }));
    expect(results.map(({ strictError }) => strictError)).toEqual(['malformed-header', undefined, undefined]);
    // One refused, one lenient, one for both strict answers.
    expect(server.accepted).toBe(3);
  });

  it('unless the limit on requests is reached', async () => {
    const server = await serveTcp((socket) => {
      socket.on('data', () => socket.write(ok(`X: a\r\n b\r\n${length}`)));
    });
    let requests = 0;
    const client = openClient({ mayRequest: () => ++requests <= 1 });
    const result = await client.get(urlOf(server, '/', 'http'), { accept: '*/*' });
    expect(result).toMatchObject({ failure: 'invalid-http', strictError: 'malformed-header' });
    expect(server.accepted).toBe(1);
  });
});

const fold = 'X-Policy: a\r\n b\r\n';

describe('an answer stays invalid-http with', () => {
  it.each([
    [
      'Content-Length and Transfer-Encoding',
      ok(`${length}\r\nTransfer-Encoding: chunked`, chunks),
      /transfer-encoding/i,
    ],
    [
      'Content-Length and Transfer-Encoding beside a fold',
      ok(`${fold}${length}\r\nTransfer-Encoding: chunked`, chunks),
      'the answer has both Content-Length and Transfer-Encoding',
    ],
    [
      'Content-Length and Transfer-Encoding, with a space before the colon',
      ok(`Transfer-Encoding : chunked\r\n${length}`, chunks),
      'the answer has both Content-Length and Transfer-Encoding',
    ],
    ['two lengths beside a fold', ok(`${fold}${length}\r\nContent-Length: 3`), 'duplicate Content-Length'],
    ['NUL in a header value', ok(`X: a\0b\r\n${length}`), 'a header has a control character'],
    ['a control character in a header value', ok(`X: a\x01b\r\n${length}`), 'a header has a control character'],
    ['an escape character beside a fold', ok(`${fold}X: \x1b[2J\r\n${length}`), 'a header has a control character'],
    ['DEL in a header value', ok(`X: a\x7f\r\n${length}`), 'a header has a control character'],
    ['an unknown HTTP version', `HTTP/1.7 200 OK\r\n${length}\r\n\r\n${json}`, 'invalid HTTP version'],
    ['a header name with a space', ok(`X Y: a\r\n${length}`), 'invalid header token'],
    ['a space before the colon', ok(`X-Policy : a\r\n${length}`), 'invalid header token'],
    ['a header line without a colon', ok(`nonsense\r\n${length}`), 'invalid header token'],
    ['CR alone within a line', ok(`X: a\rb\r\n${length}`), 'missing expected LF after header value'],
    ['a fold after the status line', `HTTP/1.1 200 OK\r\n X: a\r\n${length}\r\n\r\n${json}`, /after start line/],
    ['a chunk size that is no number', ok('Transfer-Encoding: chunked', `zz\r\n${json}`), /chunk size/],
  ])('%s', async (_what, answer, detail) => {
    const { result } = await read(answer);
    expect(result).toMatchObject({
      failure: 'invalid-http',
      detail: typeof detail === 'string' ? detail : expect.stringMatching(detail),
    });
  });

  it('an unknown HTTP version that the server sends only to the second request', async () => {
    let connections = 0;
    const server = await serveTcp((socket) => {
      const version = connections++ === 0 ? '1.1' : '1.7';
      socket.on('data', () => socket.write(ok(`${fold}${length}`).replace('1.1', version)));
    });
    const result = await openClient().get(urlOf(server, '/', 'http'), { accept: '*/*' });
    expect(result).toMatchObject({ failure: 'invalid-http', detail: 'the HTTP version is unknown' });
  });
});

describe('headers', () => {
  it.each([
    ['of 20 KB in one line', `X-Policy: ${'a'.repeat(20_000)}`],
    ['of nearly 64 KiB in one line', `X-Policy: ${'a'.repeat(65_300)}`],
    [
      'of 60 KB in cookies',
      Array.from({ length: 30 }, (_, i) => `Set-Cookie: c${i}=${'a'.repeat(2_000)}`).join('\r\n'),
    ],
  ])('%s are read', async (_what, lines) => {
    expect((await read(ok(`${lines}\r\n${length}`))).result).toMatchObject({ kind: 'answer', bytes: json.length });
  });

  it('are read to the last of 5,000 lines', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `X-${i}: a`).join('\r\n');
    const { result } = await read(ok(`${lines}\r\nX-Last: here\r\n${length}`));
    expect(result).toMatchObject({ headers: { 'x-last': 'here', 'x-4999': 'a' } });
  });

  it.each([
    ['in one line', `X-Policy: ${'a'.repeat(66_000)}`],
    ['in lines of 1 KB', Array.from({ length: 70 }, (_, i) => `X-${i}: ${'a'.repeat(1_000)}`).join('\r\n')],
    ['beside a fold', `${fold}X-Policy: ${'a'.repeat(66_000)}`],
  ])('of more than 64 KiB %s are headers-too-large', async (_what, lines) => {
    const { result } = await read(ok(`${lines}\r\n${length}`));
    expect(result).toMatchObject({ failure: 'headers-too-large', status: null });
  });

  it.each([
    ['UTF-8', Buffer.from('https://café.example/ü').toString('latin1'), 'https://café.example/ü'],
    ['UTF-8 outside the basic plane', Buffer.from('/🎬').toString('latin1'), '/🎬'],
    ['Latin-1, which is not valid UTF-8,', 'https://caf\xe9.example/', 'https://caf\ufffd.example/'],
  ])('in %s are decoded as UTF-8', async (_what, sent, decoded) => {
    const { result } = await read(ok(`Location: ${sent}\r\nX-Robots-Tag: ${sent}\r\nX-Robots-Tag: b\r\n${length}`));
    expect(result).toMatchObject({ headers: { location: decoded, 'x-robots-tag': [decoded, 'b'] } });
  });
});

const codings: [name: string, encoded: Buffer, endBytes: number][] = [
  ['gzip', gzipSync(json), 8],
  ['deflate', deflateSync(json), 4],
  ['zstd', zstdCompressSync(json, { params: { [zlib.ZSTD_c_checksumFlag]: 1 } }), 4],
];

describe('a compressed body', () => {
  const encoded = (coding: string, body: Uint8Array) =>
    Buffer.concat([Buffer.from(ok(`Content-Encoding: ${coding}\r\nContent-Length: ${body.length}`, '')), body]);

  it.each(codings)('in %s without its end marker is read if its JSON is whole', async (coding, body, endBytes) => {
    for (let missing = 1; missing <= endBytes; missing++) {
      const { result } = await read(encoded(coding, body.subarray(0, body.length - missing)));
      expect(result, `without ${missing} bytes`).toMatchObject({ kind: 'answer', bytes: json.length });
    }
  });

  it('whose last block was flushed, but never ended, is read if its JSON is whole', async () => {
    for (const [coding, body] of [
      ['gzip', gzipSync(json, { finishFlush: zlib.Z_SYNC_FLUSH })],
      ['deflate', deflateSync(json, { finishFlush: zlib.Z_SYNC_FLUSH })],
      ['deflate', deflateRawSync(json, { finishFlush: zlib.Z_SYNC_FLUSH })],
    ] as const)
      expect((await read(encoded(coding, body))).result, coding).toMatchObject({ kind: 'answer' });
  });

  it.each(codings)('in %s whose JSON is cut is invalid-encoding', async (coding, body) => {
    const { result } = await read(encoded(coding, body.subarray(0, body.length - 12)));
    expect(result).toMatchObject({ failure: 'invalid-encoding', status: 200, detail: 'unexpected end of file' });
  });

  it.each(codings)(
    'in %s without its end marker is invalid-encoding if it is no JSON object or list',
    async (coding) => {
      for (const text of ['User-agent: *\nDisallow: /a', '12', '"loops"', '', '{"a":1']) {
        const body =
          coding === 'gzip' ? gzipSync(text) : coding === 'deflate' ? deflateSync(text) : zstdCompressSync(text);
        const { result } = await read(encoded(coding, body.subarray(0, -1)));
        expect(result, text).toMatchObject({ failure: 'invalid-encoding' });
      }
    },
  );

  it('whose checksum is wrong is invalid-encoding', async () => {
    const body = gzipSync(json);
    body.writeUInt8((body.at(-6) ?? 0) ^ 1, body.length - 6);
    expect((await read(encoded('gzip', body))).result).toMatchObject({ failure: 'invalid-encoding' });
  });

  it('without its end marker is not read if the connection ended before its Content-Length', async () => {
    const whole = encoded('gzip', gzipSync(json));
    const server = await serveTcp((socket) => socket.once('data', () => socket.end(whole.subarray(0, -8))));
    const result = await openClient().get(urlOf(server, '/', 'http'), { accept: '*/*' });
    expect(result).toMatchObject({ failure: 'connection-reset' });
  });
});

it('no header block makes a request hang, throw, open a third connection or return a control character', async () => {
  let answer: Uint8Array = new Uint8Array();
  const server = await serveTcp((socket) => socket.once('data', () => socket.end(answer)));
  await fc.assert(
    fc.asyncProperty(headerBlocks, async (bytes) => {
      answer = bytes;
      const before = server.accepted;
      const result = await openClient({ responseMs: 5_000 }).get(urlOf(server, '/', 'http'), { accept: '*/*' });
      expect(server.accepted - before).toBeLessThanOrEqual(2);
      if (result.kind === 'failure') {
        expect(['invalid-http', 'connection-reset', 'headers-too-large']).toContain(result.failure);
        return;
      }
      expect(JSON.stringify(Object.values(result.headers))).not.toMatch(/\\u00[01][0-9a-f]|\\[nrbf]|\x7f/);
      const names = Object.keys(result.headers).map((name) => name.trim());
      expect(names.includes('content-length') && names.includes('transfer-encoding')).toBe(false);
    }),
    { numRuns: 150 },
  );
});
