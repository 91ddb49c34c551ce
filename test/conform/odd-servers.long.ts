import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import type { ConformRun } from '../../src/conform/conform.ts';
import { headline } from '../../src/conform/report/groups.ts';
import { seededAccounts } from '../../src/reference/index.ts';
import { listen, serveHttp } from '../serve-http.ts';
import { startIndependentServer } from './independent-server.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';
import { clauseOf, runAgainst } from './run-against.ts';

/** A user who can sign in to the reference server. */
const [ada = null] = seededAccounts();
const user = { username: 'ada', password: 'a password' };
/** Options with which a run tests every clause. */
const allOptions = { writes: true, user, token: 'a token', video: '1' };
it('a server that speaks another protocol counts as not reached', async () => {
  await using server = await listen(createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.9\r\n')));
  const { results } = await runAgainst(`http://127.0.0.1:${server.port}`, allOptions);
  expect(results.isReached).toBe(false);
});

it('a server whose answers are too large to read counts as reached', async () => {
  await using server = await serveHttp((_request, response) => void response.end('x'.repeat(1_100_000)));
  const { results } = await runAgainst(server.url);
  expect(results).toMatchObject({ isReached: true, isConformant: false });
});

it('a server that accepts an invalid registration gets no further one', async () => {
  let registrations = 0;
  await using server = await serveHttp((request, response) => {
    if (request.url !== '/api/v1/apps') return void response.writeHead(404).end();
    registrations++;
    response.setHeader('content-type', 'application/json').end('{"client_id":"a","client_secret":"b"}');
  });
  const { results } = await runAgainst(server.url, allOptions);
  expect(registrations).toBe(1);
  expect(clauseOf(results, 'apps.empty').verdict).toBe('fail');
  expect(clauseOf(results, 'endpoint.apps')).toMatchObject({
    verdict: 'skipped',
    why: 'the probe apps-empty registered an app already, and a run registers only one',
  });
});

it.each(['a long password', 'pw'])(
  'a server that echoes every request brings neither the password "%s" nor the token or a cookie into the results',
  async (password) => {
    await using server = await serveHttp(async (request, response) => {
      const body = await text(request);
      const echo = JSON.stringify({ url: request.url, headers: request.headers, body, ...credentialsFor(body) });
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
    const { results, exchanges } = await runAgainst(server.url, options);
    const recorded = JSON.stringify([results, exchanges]);
    expect(exchanges.some(({ probe }) => probe === 'account')).toBe(true);
    const passwordInForm = `p=${password.replaceAll(' ', '+')}`;
    for (const secret of ['the token of the option', '0123456789abcdef', passwordInForm]) {
      expect(recorded).not.toContain(secret);
    }
  },
);

/** The credentials of an app if the request is a complete registration: without an app, the run would not sign in. */
function credentialsFor(body: string): object {
  return body.includes('client_name') && body.includes('redirect_uris')
    ? { client_id: 'an id', client_secret: 'a secret value' }
    : {};
}

it('a run tries a wrong password only once', async () => {
  await using server = await startIndependentServer();
  const wrong = { ...server.user, password: 'not the password' };
  const { results, exchanges } = await runAgainst(server.url, { writes: true, user: wrong });
  expect(exchanges.filter(({ request }) => request.url.endsWith('/login'))).toHaveLength(1);
  expect(clauseOf(results, 'endpoint.authorize')).toMatchObject({
    verdict: 'skipped',
    why: 'the sign-in failed: POST /login: status 403, text/html; check --username and the password',
  });
  expect(results.isConformant).toBe(false);
});

it('a server that asks for a sign-in first is judged by its answer after the sign-in, and not judged without a user', async () => {
  await using server = await serveHttp((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any.example');
    const goTo = (location: string) => void response.writeHead(302, { location }).end();
    if (pathname === '/api/v1/apps') {
      return void text(request).then((body) =>
        body.includes('client_name') && body.includes('redirect_uris')
          ? response.end('{"client_id":"a","client_secret":"b"}')
          : response.writeHead(422).end(),
      );
    }
    if (pathname === '/login' && request.method === 'POST') {
      response.setHeader('set-cookie', 'sid=0123456789');
      return goTo(searchParams.get('next') ?? '/');
    }
    if (pathname === '/login') {
      return void response.end('<form method=post><input name=u><input type=password name=p></form>');
    }
    if (pathname !== '/oauth/authorize') return void response.writeHead(404).end();
    if (request.headers.cookie === undefined) return goTo(`/login?next=${encodeURIComponent(request.url ?? '')}`);
    // Redirects to any URI, registered or not.
    return goTo(searchParams.get('redirect_uri') ?? '/');
  });
  const ids = ['client_id.required', 'client_id.known', 'redirect_uri.registered'].map((id) => `authorize.${id}`);
  const verdicts = ({ results }: ConformRun) => ids.map((id) => clauseOf(results, id).verdict);
  const clauses = SERVER_CLAUSES.filter(({ id }) => ids.includes(id));
  expect(verdicts(await runAgainst(server.url, { clauses }))).toEqual(['not shown', 'not shown', 'skipped']);
  expect(verdicts(await runAgainst(server.url, { clauses, writes: true, user }))).toEqual(['fail', 'fail', 'fail']);
});

it('a refusal with the status 200 breaks the clause about its status, and passes the clause about its content', async () => {
  await using server = await serveHttp((_, response) =>
    response.setHeader('content-type', 'application/json').end('{"error":"Unauthenticated."}'),
  );
  const { results } = await runAgainst(server.url);
  for (const id of ['endpoint.video.unknown', 'account.needs-token', 'account.needs-valid-token']) {
    expect(clauseOf(results, id).verdict).toBe('pass');
    expect(clauseOf(results, `${id}.status`).verdict).toBe('fail');
  }
});

it('JSON with bytes that are not valid UTF-8 fails the clause of its endpoint', async () => {
  await using server = await serveHttp((_, response) =>
    response.setHeader('content-type', 'application/json').end(Buffer.from('{"a":"\u00ff"}', 'latin1')),
  );
  const { results } = await runAgainst(server.url);
  expect(clauseOf(results, 'endpoint.config')).toMatchObject({
    verdict: 'fail',
    why: 'the body has bytes that are not valid UTF-8, the encoding of JSON (RFC 8259 section 8.1)',
  });
});

it('a server without PKCE shows nothing about the verifier, but its refusal of a form shows that it reads forms', async () => {
  await using server = await startIndependentServer({ pkce: false });
  const { results } = await runAgainst(server.url, { writes: true, user: server.user });
  expect(clauseOf(results, 'token.form').verdict).toBe('pass');
  for (const id of ['pkce.verifier', 'pkce.verifier.required']) {
    expect(clauseOf(results, id)).toMatchObject({
      verdict: 'not shown',
      why: 'the server ignores the challenge, and its metadata names no PKCE method',
    });
  }
});

it('a run sends no more requests in a minute than its rate allows', async () => {
  let requests = 0;
  await using server = await serveHttp((_, response) => {
    requests++;
    response.end('{}');
  });
  const stop = new AbortController();
  const pausesMs: number[] = [];
  const onWait = (ms: number) => {
    pausesMs.push(ms);
    stop.abort(new Error('enough'));
  };
  const run = await runAgainst(server.url, { perMinute: 5, signal: stop.signal, onWait });
  expect(run.results).toMatchObject({ isInterrupted: true, isConformant: false });
  expect(requests).toBe(5);
  // A minute, less the time since the first request.
  expect(pausesMs).toEqual([expect.closeTo(45_000, -4.5)]);
});

it('a server that answers no token request does not pass, although it breaks no clause that was decided', async () => {
  await using proxy = await startRewritingProxy();
  proxy.isLost = ({ path }) => path === '/oauth/token';
  const { results } = await runAgainst(proxy.url, { level: 'must' });
  expect(results.counts.fail).toBe(0);
  // A read-only run sends two token requests.
  expect(results).toMatchObject({ isConformant: false, isDecided: true, requestsUnanswered: 2 });
  expect(clauseOf(results, 'token.empty')).toMatchObject({ verdict: 'skipped', isUnanswered: true });
  expect(headline(results)).toMatch(/^\d+ clauses could not be decided .* because 2 requests were not answered/);
});

it('requests with a token that a header cannot contain fail, without a crash of the run', async () => {
  await using proxy = await startRewritingProxy();
  proxy.rewrite = (answer, { path }) => {
    if (path === '/oauth/token') answer.text = answer.text.replace('"access_token":"', '"access_token":"\\n');
  };
  const { results, exchanges } = await runAgainst(proxy.url, { writes: true, user: ada });
  expect(exchanges.filter(({ failure }) => failure === 'invalid-http').length).toBeGreaterThan(0);
  expect(results.isConformant && results.isDecided).toBe(false);
});

it('a run that gives up after failed requests still revokes its tokens', async () => {
  await using proxy = await startRewritingProxy();
  let isDown = false;
  proxy.isLost = ({ path }) => isDown && path !== '/oauth/revoke';
  proxy.rewrite = (_answer, { path, fields }) => {
    // The answer to this request has the last token of a run.
    isDown ||= path === '/oauth/token' && 'code_verifier' in fields;
  };
  const { exchanges } = await runAgainst(proxy.url, { writes: true, user: ada });
  // After three failures, the run sends only revocations.
  expect(exchanges.filter(({ failure }) => failure !== null)).toHaveLength(3);
  expect(exchanges.at(-1)).toMatchObject({ probe: 'revoke-rest', answer: { status: 200 } });
});

it.each<[string, (response: ServerResponse) => void]>([
  ['an object in `data`', (response) => response.writeHead(201).end('{"data":{"client_id":"a"}}')],
  ['a page', (response) => response.setHeader('content-type', 'text/html').end('<p>Done')],
  ['a redirect', (response) => response.writeHead(302, { location: '/apps/1' }).end()],
  ['500', (response) => response.writeHead(500).end('{}')],
  ['a reset', (response) => response.destroy()],
  ['silence', () => undefined],
])('a run sends no further registration after one that is answered with %s', async (what, answer) => {
  let registrations = 0;
  await using server = await serveHttp((request, response) => {
    if (request.url !== '/api/v1/apps') return void response.writeHead(404).end();
    registrations++;
    answer(response);
  });
  const timeoutMs = what === 'silence' ? 300 : 15_000;
  const { results } = await runAgainst(server.url, { ...allOptions, timeoutMs });
  expect(registrations).toBe(1);
  expect(clauseOf(results, 'endpoint.apps')).toMatchObject({
    verdict: 'skipped',
    why: expect.stringContaining('may have registered an app, and a run registers only one'),
  });
});

it('an interrupted run sends only the revocation of its tokens, and keeps what it found', async () => {
  await using proxy = await startRewritingProxy();
  const stop = new AbortController();
  const pathsAfterStop: string[] = [];
  proxy.rewrite = (answer, { path, fields }) => {
    if (stop.signal.aborted) pathsAfterStop.push(path);
    // The answer with the token arrives after the interruption.
    if (answer.status === 200 && fields.grant_type === 'authorization_code') stop.abort();
  };
  const { results, exchanges } = await runAgainst(proxy.url, { writes: true, user: ada, signal: stop.signal });
  expect([...new Set(pathsAfterStop)]).toEqual(['/oauth/revoke']);
  expect(exchanges.at(-1)).toMatchObject({ probe: 'revoke-rest', answer: { status: 200 } });
  expect(results).toMatchObject({ isInterrupted: true, isConformant: false });
  expect(results.counts.pass).toBeGreaterThan(50);
});

it('a request that gets 429 is repeated after the pause of Retry-After', async () => {
  await using proxy = await startRewritingProxy();
  const times: number[] = [];
  proxy.rewrite = (answer, { path }) => {
    if (path !== '/api/v1/config') return;
    times.push(performance.now());
    if (times.length > 1) return;
    answer.status = 429;
    answer.headers['retry-after'] = '1';
  };
  const { results, exchanges } = await runAgainst(proxy.url);
  const [limitedAt = 0, repeatedAt = 0] = times;
  // One second, with a tolerance for inexact timers.
  expect(repeatedAt - limitedAt).toBeGreaterThan(990);
  expect(exchanges.filter(({ probe }) => probe === 'config').map(({ answer }) => answer?.status)).toEqual([429, 200]);
  expect(results.isConformant).toBe(true);
});

it('a server whose rate limit leaves binding clauses undecided does not pass', async () => {
  await using proxy = await startRewritingProxy();
  proxy.rewrite = (answer, { path }) => {
    if (path === '/oauth/token') answer.status = 429;
  };
  const { results } = await runAgainst(proxy.url, { level: 'must' });
  expect(results).toMatchObject({ counts: { fail: 0 }, isConformant: false, requestsUnanswered: 2 });
});

it('a run uses the token of its options when it gets no token for the user', async () => {
  await using proxy = await startRewritingProxy();
  const bearers: (string | null)[] = [];
  proxy.rewrite = (answer, { path, fields, bearer }) => {
    if (path === '/oauth/token' && fields.grant_type === 'authorization_code') {
      answer.status = 400;
      answer.text = '{}';
    }
    bearers.push(bearer);
  };
  await runAgainst(proxy.url, { writes: true, user: ada, token: 'the token of the option' });
  expect(bearers).toContain('the token of the option');
});

it('a server that does not revoke the last tokens of a run breaks the clause about the status of a revocation', async () => {
  await using proxy = await startRewritingProxy();
  let hasLastToken = false;
  proxy.rewrite = (answer, { path, fields }) => {
    hasLastToken ||= path === '/oauth/token' && 'code_verifier' in fields;
    if (hasLastToken && path === '/oauth/revoke') answer.status = 500;
  };
  const { results } = await runAgainst(proxy.url, { writes: true, user: ada });
  expect(clauseOf(results, 'revoke.token.status')).toMatchObject({
    verdict: 'fail',
    why: 'status 500, application/json',
  });
});

it('a server that has no endpoint passes only the clauses about a video that does not exist', async () => {
  await using server = await serveHttp((_, response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
  );
  const { results } = await runAgainst(server.url, { video: '1', token: 'a' });
  const passed = results.clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect(passed).toEqual(['', '.status', '.json'].map((end) => `endpoint.video.unknown${end}`));
});

const ofOtherTypes = {
  id: '1',
  ...{ url: 1, media: [], account: '', is_owner: 'no', has_liked: 0, has_bookmarked: null, likes: '1', comments: [] },
  data: { post_count: '1', follower_count: null, avatar: 1 },
};

it.each([
  ['are missing', { id: '1', data: {} }],
  ['have another type', ofOtherTypes],
])('fields that %s do not pass the clauses about their values', async (_what, document) => {
  await using server = await serveHttp((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document)),
  );
  const { results } = await runAgainst(server.url, { video: '1', token: 'a' });
  for (const id of ['video.url.web', 'video.guest', 'video.numbers', 'account.counts', 'account.avatar.url']) {
    expect(clauseOf(results, id).verdict).toBe('skipped');
  }
});

it.each([
  // ISO 8601 allows a comma, an offset of hours, and a time without seconds.
  [
    'pass',
    ['2025-01-02T03:04:05.123456Z', '2025-01-02T03:04:05,5-03:30', '2025-01-02T03:04:05+05', '2025-01-02T03:04Z'],
  ],
  ['fail', ['2025-01-02', '2025-01-02T03:04:05', '2025-01-02 03:04:05Z', '2025-13-02T03:04:05Z', '1735787045']],
])('the verdict of the clause about the creation time is %s for each of the times %j', async (verdict, times) => {
  await using proxy = await startRewritingProxy();
  const clauses = SERVER_CLAUSES.filter(({ id }) => id === 'video.created_at.iso-8601');
  const video = proxy.server.state.data.videos.all()[0]?.id ?? '';
  for (const created_at of times) {
    proxy.rewrite = (answer) => {
      answer.text = JSON.stringify({ ...JSON.parse(answer.text), created_at });
    };
    const { results } = await runAgainst(proxy.url, { clauses, video });
    expect(`${created_at} ${clauseOf(results, 'video.created_at.iso-8601').verdict}`).toBe(`${created_at} ${verdict}`);
  }
});

it('a server that answers a request with a revoked token with 500 breaks the clause about revoked tokens', async () => {
  await using proxy = await startRewritingProxy();
  const revoked = new Set<string | null>();
  proxy.rewrite = (answer, { path, fields, bearer }) => {
    if (path === '/oauth/revoke' && answer.status === 200) revoked.add(fields.token ?? null);
    if (revoked.has(bearer)) answer.status = 500;
  };
  const { results } = await runAgainst(proxy.url, { writes: true, user: ada });
  expect(clauseOf(results, 'revoke.token')).toMatchObject({
    verdict: 'fail',
    why: 'the server failed: status 500, application/json',
  });
});
