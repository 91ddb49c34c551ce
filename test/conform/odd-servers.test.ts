import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startIndependentServer } from './independent-server.ts';
import { clauseOf, runAgainst } from './run-against.ts';

/** Starts a server that answers every request alike. */
async function start(listener: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const user = { username: 'ada', password: 'a password' };
const everything = { writes: true, user, token: 'a token', video: '1', timeoutMs: 300 };
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const hostile = '\u001b[31m\u202e<script>alert(1)</script>`|\r\n';

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
  '429': (_, response) => response.writeHead(429, { 'retry-after': '60' }).end('{"message":"Too many requests"}'),
  'invalid JSON': (_, response) => response.setHeader('content-type', 'application/json').end('{"app":'),
  'JSON null': (_, response) => response.setHeader('content-type', 'application/json').end('null'),
  'an empty object': (_, response) => response.setHeader('content-type', 'application/json').end('{}'),
  'nested lists': (_, response) => response.setHeader('content-type', 'application/json').end(deep),
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
        app: { name: hostile, software: hostile, version: 1 },
        access_token: hostile,
        client_id: hostile,
      }),
    ),
  'the wrong encoding': (_, response) => response.setHeader('content-encoding', 'gzip').end('{"app":{}}'),
  'a reset': (request) => void request.socket.destroy(),
  'a body that never ends': (_, response) => void response.writeHead(200).write('{'),
  'an error whose body never ends': (_, response) => void response.writeHead(404).write('{'),
  'a body that is too large': (_, response) => void response.writeHead(200).end('x'.repeat(2_000_000)),
  silence: () => undefined,
};

describe('a server that answers every request with', () => {
  it.each(Object.entries(SERVERS))('%s fails, soon and without a crash', async (_what, listener) => {
    await using server = await start(listener);
    const start_ = performance.now();
    const { results } = await runAgainst(server.url, everything);
    expect(performance.now() - start_).toBeLessThan(5_000);
    expect(results.isConformant && results.isDecided).toBe(false);
    expect(results.counts.pass).toBeLessThan(50);
  });
});

it('a server that speaks another protocol is reached by no request', async () => {
  const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { results } = await runAgainst(url, everything);
  expect(results.isReached).toBe(false);
  server.close();
});

it('a server that accepts invalid registrations gets one app, and the next registrations are skipped', async () => {
  let registrations = 0;
  await using server = await start((request, response) => {
    if (request.url !== '/api/v1/apps') return void response.writeHead(404).end();
    registrations++;
    response.setHeader('content-type', 'application/json').end('{"client_id":"a","client_secret":"b"}');
  });
  const { results } = await runAgainst(server.url, everything);
  expect(registrations).toBe(1);
  expect(clauseOf(results, 'apps.empty').verdict).toBe('fail');
  expect(clauseOf(results, 'endpoint.apps')).toMatchObject({
    verdict: 'skipped',
    why: 'the probe apps-empty registered an app already, and a run registers only one',
  });
});

it.each(['a long password', 'pw'])(
  'a server that repeats every request does not bring the password "%s" into the results',
  async (password) => {
    await using server = await start(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const echo = JSON.stringify({ url: request.url, headers: request.headers, body, ...formFieldsOf(body) });
      const isPage = request.url?.startsWith('/oauth/authorize') === true;
      response
        .setHeader('content-type', isPage ? 'text/html' : 'application/json')
        .setHeader('set-cookie', 'sid=0123456789abcdef; Path=/')
        .end(
          isPage
            ? `<form method=post>${echo.replaceAll('<', '&lt;')}<input name=u><input type=password name=p></form>`
            : echo,
        );
    });
    const options = { writes: true, user: { username: 'ada', password }, token: 'the token of the option' };
    // The registration must seem to succeed, so that the sign-in is tried.
    const { results, exchanges } = await runAgainst(server.url, options);
    const text = JSON.stringify([results, exchanges]);
    expect(exchanges.some(({ probe }) => probe === 'account')).toBe(true);
    for (const secret of ['the token of the option', '0123456789abcdef', `p=${password.replaceAll(' ', '+')}`]) {
      expect(text).not.toContain(secret);
    }
  },
);

function formFieldsOf(body: string): object {
  return body.includes('client_name') && body.includes('redirect_uris')
    ? { client_id: 'an id', client_secret: 'a secret value' }
    : {};
}

it('a wrong password is tried once', async () => {
  await using server = await startIndependentServer();
  const wrong = { ...server.user, password: 'not the password' };
  const { results, exchanges } = await runAgainst(server.url, { writes: true, user: wrong });
  expect(exchanges.filter(({ request }) => request.url.endsWith('/login'))).toHaveLength(1);
  expect(clauseOf(results, 'endpoint.authorize')).toMatchObject({
    verdict: 'fail',
    why: 'it ended with status 403, text/html, a page whose form could not be completed; --token can replace the sign-in',
  });
});

it('at most the requests of --rate are sent in a minute', async () => {
  const times: number[] = [];
  await using server = await start((_, response) => {
    times.push(performance.now());
    response.end('{}');
  });
  const stop = new AbortController();
  const run = runAgainst(server.url, { perMinute: 5, signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 500);
  await expect(run).rejects.toThrow('enough');
  expect(times).toHaveLength(5);
});
