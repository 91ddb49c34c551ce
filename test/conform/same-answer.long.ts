import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '../serve-http.ts';
import { runAgainst } from './run-against.ts';

/** Options with which a run tests every clause. */
const allOptions = { writes: true, user: { username: 'ada', password: 'a password' }, token: 'a token', video: '1' };
const nestedLists = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const hostileText = '\u001b[31m\u202e<script>alert(1)</script>`|\r\n';

const SERVERS: Readonly<Record<string, RequestListener>> = {
  'a page for every path': (_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><p>Hi'),
  'a form for every path': (_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<form method=post><input type=password name=p><input name=u><button>Allow</button></form>'),
  'a redirect to itself': (request, response) => response.writeHead(302, { location: request.url ?? '/' }).end(),
  'a redirect elsewhere': (_, response) => response.writeHead(301, { location: 'http://192.0.2.1/' }).end(),
  'a malformed redirect': (_, response) => response.writeHead(302, { location: 'http://[' }).end(),
  '500 with JSON': (_, response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}'),
  '204': (_, response) => response.writeHead(204).end(),
  '429': (_, response) => response.writeHead(429, { 'retry-after': '1' }).end('{"message":"Too many requests"}'),
  'invalid JSON': (_, response) => response.setHeader('content-type', 'application/json').end('{"app":'),
  'JSON null': (_, response) => response.setHeader('content-type', 'application/json').end('null'),
  'an empty object': (_, response) => response.setHeader('content-type', 'application/json').end('{}'),
  'nested lists': (_, response) => response.setHeader('content-type', 'application/json').end(nestedLists),
  'objects in place of every value': (_, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ app: [], links: {}, data: 5, media: null, usage: 'x', client_id: {}, access_token: [] })),
  'links that are no links': (_, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ links: [null, 3, { rel: 4 }, { rel: 'x/schema/2.0', href: 'http://user@[' }] })),
  'hostile texts': (_, response) =>
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        app: { name: hostileText, software: hostileText, version: 1 },
        access_token: hostileText,
        client_id: hostileText,
      }),
    ),
  'links whose relations are objects': (_, response) =>
    response.setHeader('content-type', 'application/json').end('{"links":[{"rel":{"toString":1}}]}'),
  'a secret of 300,000 characters': (_, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ access_token: 'a+/='.repeat(75_000), client_id: 'a', client_secret: 'b' })),
  '10,000 secrets': (_, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ client_secret: Array.from({ length: 10_000 }, (_, index) => `secret-${index}`) })),
  'a page of nested tags': (_, response) =>
    response.setHeader('content-type', 'text/html').end(`<form>${'<div>'.repeat(20_000)}`),
  'the wrong encoding': (_, response) => response.setHeader('content-encoding', 'gzip').end('{"app":{}}'),
  'a reset': (request) => void request.socket.destroy(),
  'a body that is too large': (_, response) => void response.writeHead(200).end('x'.repeat(2_000_000)),
};

const ENDLESS: typeof SERVERS = {
  'a body that never ends': (_, response) => void response.writeHead(200).write('{'),
  'an error whose body never ends': (_, response) => void response.writeHead(404).write('{'),
  silence: () => undefined,
};

describe('a server that answers every request with', () => {
  it.each(Object.entries({ ...SERVERS, ...ENDLESS }))('%s does not pass, and its run ends', async (what, listener) => {
    await using server = await serveHttp(listener);
    const timeoutMs = what in ENDLESS ? 300 : 15_000;
    const { results } = await runAgainst(server.url, { ...allOptions, timeoutMs });
    expect(results.isConformant && results.isDecided).toBe(false);
    // A correct server passes more than 200.
    expect(results.counts.pass).toBeLessThan(50);
  });
});
