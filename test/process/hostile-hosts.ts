/**
 * Child process: hosts that answer every request in the same way. The first label of a name selects the answer (`gzip` for
 * `gzip-7.a.example`). Arguments: the addresses to listen on.
 */
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createSecureContexts } from '../../src/reference/tls/secure-contexts.ts';
import { listen } from '../serve-http.ts';

/** What the process prints, as JSON. */
export interface HostileHosts {
  port: number;
  /** The certificate authority, PEM. */
  authority: string;
  /** The names of all answers. */
  kinds: string[];
}

const BLOCK = 65_536;
const spaces = Buffer.alloc(BLOCK, ' ');
const zeros = Buffer.alloc(32 * 1_048_576);
const repeated = (text: string | Buffer) => {
  const piece = Buffer.from(text);
  return Buffer.concat(Array(Math.ceil(BLOCK / piece.length)).fill(piece));
};

const endless = (block: Buffer, start: string | Buffer = ''): Iterable<Buffer> => ({
  *[Symbol.iterator]() {
    yield Buffer.from(start);
    for (;;) yield block;
  },
});

type AnswerRequest = (response: ServerResponse) => unknown;

/** Sends the pieces as the body of a response, until the client closes the connection. */
function body(pieces: Iterable<Buffer>, headers: Record<string, string> = {}): AnswerRequest {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    return pipeline(Readable.from(pieces), response).catch(() => undefined);
  };
}

const encoded = (encoding: string, bytes: Buffer, type = 'application/json') =>
  body([bytes], { 'content-encoding': encoding, 'content-type': type });

/** Sends the pieces in place of an HTTP response, until the client closes the connection. */
function raw(pieces: Iterable<Buffer>): AnswerRequest {
  return ({ socket }) => (socket === null ? undefined : pipeline(Readable.from(pieces), socket).catch(() => undefined));
}

const jsonHead = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const page = (text: string) => repeated(`<title>${text}</title><p>${text}</p>`);
const bomb = { brotli: brotliCompressSync(zeros), gzip: gzipSync(zeros, { level: 9 }) };

/** A frame of zstd (RFC 8878 section 3.1.1) without end: every 4 bytes are an RLE block, which unpacks to 128 KB. */
const zstdFrame = (windowLog: number) =>
  endless(
    Buffer.alloc(BLOCK, Buffer.from([2, 0, 16, 32])),
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3]),
  );

const ANSWERS: Readonly<Record<string, AnswerRequest>> = {
  good: (response) => response.setHeader('content-type', 'application/json').end('{"app":{"software":"other"}}'),

  'endless-100': raw(endless(repeated('HTTP/1.1 100 Continue\r\n\r\n'))),
  'endless-103': raw(endless(repeated('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'))),
  'endless-header': raw(endless(spaces, 'HTTP/1.1 200 OK\r\nx-a: ')),
  'endless-headers': raw(endless(repeated('x-a: b\r\n'), 'HTTP/1.1 200 OK\r\n')),
  'many-headers': raw(
    endless(spaces, `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(1_900)}content-type: application/json\r\n\r\n`),
  ),
  'tiny-chunks': raw(endless(repeated('1\r\n \r\n'), `${jsonHead}transfer-encoding: chunked\r\n\r\n`)),
  'chunk-extensions': raw(
    endless(repeated(`1;${'x'.repeat(4_000)}\r\n \r\n`), `${jsonHead}transfer-encoding: chunked\r\n\r\n`),
  ),
  'endless-trailers': raw(
    endless(repeated('x-a: b\r\n'), `${jsonHead}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n`),
  ),
  'not-http': raw(endless(spaces, 'SSH-2.0-OpenSSH_9.6\r\n')),
  silent: () => undefined,
  drip: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const timer = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(timer));
  },

  'endless-spaces': body(endless(spaces)),
  'endless-text': body(endless(repeated('x'), '{"app":{"software":"')),
  'endless-list': body(endless(repeated('0,'), '{"links":[')),
  'endless-page': body(endless(page('&amp;&#39;')), { 'content-type': 'text/html' }),
  'long-page': body(
    [...Array(3)].map(() => page('&amp;&#39;')),
    { 'content-type': 'text/html' },
  ),
  'many-elements': body([repeated('<a>').subarray(0, 60_000)], { 'content-type': 'text/html' }),
  'deep-json': body([Buffer.from('['.repeat(200_000))]),
  'deep-objects': body([Buffer.from('{"a":'.repeat(50_000))]),
  'many-keys': body([Buffer.from(`{${Array.from({ length: 20_000 }, (_, key) => `"${key}":{}`).join(',')}}`)]),
  'many-links': body([Buffer.from(`{"links":[${'{},'.repeat(80_000)}{}]}`)]),
  'long-number': body([Buffer.from(`{"app":{"software":${'9'.repeat(250_000)}}}`)]),
  'long-name': body([Buffer.from(`{"app":{"software":"${'\\u0000'.repeat(40_000)}"}}`)]),

  brotli: encoded('br', bomb.brotli),
  gzip: encoded('gzip', bomb.gzip),
  'gzip-page': encoded('gzip', bomb.gzip, 'text/html'),
  'gzip-twice': encoded('gzip', gzipSync(bomb.gzip)),
  'gzip-members': body(endless(repeated(gzipSync(''))), { 'content-encoding': 'gzip' }),
  'gzip-list': encoded('gzip, gzip', gzipSync(bomb.gzip)),
  deflate: encoded('deflate', deflateSync(zeros)),
  'deflate-raw': encoded('deflate', deflateRawSync(zeros)),
  zstd: encoded('zstd', zstdCompressSync(zeros)),
  // 8 MB, the largest window that the crawler accepts.
  'zstd-window': body(zstdFrame(23), { 'content-encoding': 'zstd' }),
  'zstd-larger-window': body(zstdFrame(27), { 'content-encoding': 'zstd' }),
  'zstd-frames': body(endless(repeated(zstdCompressSync(''))), { 'content-encoding': 'zstd' }),
};

const contexts = createSecureContexts(1_000);
let port = 0;
for (const address of process.argv.slice(2)) {
  const server = createServer({ SNICallback: (name, done) => done(null, contexts.contextFor(name)) });
  server.on('tlsClientError', () => undefined);
  server.on('request', (request, response) => {
    const name = (request.headers.host ?? '').split('.')[0] ?? '';
    const [, kind = name, index = '0'] = /^(.*)-(\d+)$/.exec(name) ?? [];
    response.on('error', () => undefined);
    // Every second host of a kind has no robots.txt, so that further requests follow.
    if (request.url === '/robots.txt' && Number(index) % 2 === 0) response.writeHead(404).end();
    else ANSWERS[kind]?.(response);
  });
  ({ port } = await listen(server, port, address));
}
process.stdout.write(
  `${JSON.stringify({ port, authority: contexts.authority, kinds: Object.keys(ANSWERS) } satisfies HostileHosts)}\n`,
);
process.stdin.resume().on('end', () => process.exit());
