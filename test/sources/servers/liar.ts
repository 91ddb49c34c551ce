import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { type ListServer, type ReceivedRequest, sendJson, serveList } from './serve-list.ts';

const json = { 'content-type': 'application/json' };

/** Resolves when the stream has drained or the response has closed. */
function waitForDrain(response: ServerResponse, stream: Writable = response): Promise<void> {
  return new Promise((done) => {
    const finish = () => {
      stream.off('drain', finish);
      response.off('close', finish);
      done();
    };
    stream.once('drain', finish);
    response.once('close', finish);
  });
}

/** Writes a chunk up to `times` times, as fast as the client reads. Returns the number of bytes written. */
async function flood(response: ServerResponse, chunk: string | Buffer, times: number): Promise<number> {
  let bytes = 0;
  for (let written = 0; written < times && !response.destroyed; written += 1) {
    bytes += chunk.length;
    if (!response.write(chunk)) await waitForDrain(response);
  }
  return bytes;
}

export interface SentTotals {
  /** Number of bytes sent; for the gzip bomb, the number of megabytes before compression. */
  sent: number;
}

/** Hostile responses by path. */
const hostileResponses: Readonly<
  Record<string, (request: ReceivedRequest, response: ServerResponse, totals: SentTotals) => unknown>
> = {
  '/ten-gigabytes': async (_, response, totals) => {
    response.writeHead(200, { ...json, 'content-length': String(10_000_000_000) });
    response.write('["a.example"');
    totals.sent = await flood(response, `,"${'x'.repeat(60)}.example"`.repeat(1_000), 145_000);
  },
  '/gzip-bomb': async (_, response, totals) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
    const gzip = createGzip({ level: 9 });
    gzip.pipe(response);
    gzip.write('["a.example"');
    const spaces = Buffer.alloc(1_048_576, ' ');
    for (let megabytes = 0; megabytes < 2_000 && !response.destroyed; megabytes += 1) {
      if (!gzip.write(spaces)) await waitForDrain(response, gzip);
      totals.sent = megabytes;
    }
    gzip.destroy();
  },
  '/gzip-members': async (_, response, totals) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
    totals.sent = await flood(response, Buffer.concat(Array(1_000).fill(gzipSync(''))), 10_000);
  },
  '/half': (_, response) => {
    response.writeHead(200, { ...json, 'content-length': '1000' });
    response.write('["a.example","b.example","c.exa', () => response.destroy());
  },
  '/slow': async (_, response) => {
    response.writeHead(200, json);
    response.write('["a.example"');
    for (let drops = 0; drops < 200 && !response.destroyed; drops += 1) {
      response.write(' ');
      await delay(100);
    }
    response.end(']');
  },
  '/silent': (_, response) => {
    response.writeHead(200, json);
    response.write('["a.example","b.example"');
  },
  '/never': () => undefined,
  '/html': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Welcome</title>'),
  '/html-as-json': (_, response) => response.writeHead(200, json).end('<!doctype html><title>Welcome</title>'),
  '/endless': ({ url }, response) => {
    const page = Number(url.searchParams.get('cursor') ?? 0);
    sendJson(response, { list: [`h${page}.example`], next: String(page + 1) });
  },
  '/circle': ({ url }, response) => {
    const page = Number(url.searchParams.get('cursor') ?? 0);
    sendJson(response, { list: [`h${page}.example`], next: String((page + 1) % 3) });
  },
  '/loopback': (_, response) =>
    sendJson(response, [
      '127.0.0.1',
      'localhost',
      'http://[::1]:8080/',
      '2130706433',
      '0x7f.1',
      '10.0.0.1:80',
      'a.example',
    ]),
  '/deep': async (_, response) => {
    response.writeHead(200, json);
    response.write('["a.example",');
    await flood(response, '['.repeat(65_536), 10);
    await flood(response, ']'.repeat(65_536), 10);
    response.end(',"b.example"]');
  },
  '/long-string': async (_, response, totals) => {
    response.writeHead(200, json);
    response.write('["a.example","');
    totals.sent = await flood(response, 'x'.repeat(65_536), 1_000);
    response.end('"]');
  },
  '/wide': (_, response) => {
    const padding = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 'x'.repeat(50)]));
    sendJson(response, [
      { ...padding, host: 'late.example' },
      { host: 'a.example', ...padding },
      { host: 'b.example' },
    ]);
  },
  '/continue': (_, response) => {
    for (let answers = 0; answers < 11; answers += 1) response.writeContinue();
    sendJson(response, ['a.example']);
  },
  '/tiny-chunks': async (_, response) => {
    response.writeHead(200, json);
    response.write('["a.example"');
    const socket = response.socket;
    for (let writes = 0; writes < 10_000 && socket?.destroyed === false; writes += 1) {
      socket.write('1\r\n \r\n'.repeat(1_000));
      await new Promise((done) => setImmediate(done));
    }
  },
  '/brotli': (_, response) => response.writeHead(200, { ...json, 'content-encoding': 'br' }).end('["a.example"]'),
};

export async function serveLies(): Promise<ListServer & { totals: SentTotals }> {
  const totals = { sent: 0 };
  const server = await serveList((request, response) =>
    hostileResponses[request.url.pathname]?.(request, response, totals),
  );
  return { ...server, totals };
}
