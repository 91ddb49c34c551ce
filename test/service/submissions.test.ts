import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createHourlyLimit } from '../../src/crawl/hourly-limit.ts';
import { createLogger } from '../../src/logger.ts';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { Service } from '../../src/service/service.ts';
import { Submissions } from '../../src/service/submissions.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
import { listen } from '../../src/service/web-server.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createTestNetwork } from '../create-test-network.ts';
import { scratchPath } from '../store/scratch.ts';

const logger = createLogger({ level: 'silent', stream: process.stderr });
const LOOPS = { app: { software: 'loops', version: '1.0.0' }, federation: false };

/** An HTTP server that accepts submissions, and a test network to visit. */
async function createSubmissionServer(
  serve: object = {},
  { answerWithinMs = 10_000, allow = ['127.0.0.0/8'] }: { answerWithinMs?: number; allow?: string[] } = {},
) {
  const testNetwork = await createTestNetwork();
  const baseSettings = testNetwork.settings(
    {},
    {},
    { serve: { port: 0, submissions: true, ratePerMinute: 0, ...serve } },
  );
  const settings = { ...baseSettings, network: { ...baseSettings.network, allow } };
  const time = { ms: 0 };
  const now = () => Date.now() + time.ms;
  const app = await createApp(settings, logger, {
    now,
    clock: () => performance.now() + time.ms,
    background: runInline,
  });
  const clock = () => performance.now() + time.ms;
  const service = new Service(app, { now, clock, submissionAnswerMs: answerWithinMs });
  const { submissions } = service;
  const health = () => ({ status: 'ok' as const, problems: [] });
  const http = await listen({ settings, logger, health, submit: (domain) => submissions.submit(domain), now });
  onTestFinished(async () => {
    await http[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });
  const post = async (body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${http.url}/api/v1/submissions`, { method: 'POST', headers, body: text });
    const json = (await answer.json()) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, json };
  };
  return { ...testNetwork, app, http, post, time, submissions };
}

test('a submitted domain is visited at once, and the response says that it is listed', async () => {
  const { listen: serve, post } = await createSubmissionServer();
  const host = await serve('new.example', '127.0.9.1', async (path) => (path === '/api/v1/config' ? LOOPS : null));
  const { status, json, headers } = await post({ domain: `https://${host.toUpperCase()}/` });
  expect([status, json]).toMatchObject([
    200,
    { domain: host, visit: 'done', listed: true, visitedAt: expect.any(String) },
  ]);
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('the response says why a domain is not listed and what would change that', async () => {
  const { listen: serve, post } = await createSubmissionServer();
  const host = await serve('not.example', '127.0.9.2', async () => null);
  const { status, json } = await post({ domain: host });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    visit: 'done',
    listed: false,
    headline: expect.stringContaining(`${host} is not listed`),
  });
  expect(json.whatWouldChange).toContainEqual(expect.stringContaining('due at'));
});

test('a host is visited at most once an hour, under any port or www name', async () => {
  const { listen: serve, post, time, app } = await createSubmissionServer({ submissionsPerHour: 1_000 });
  let requests = 0;
  const host = await serve('once.example', '127.0.9.3', async (path) => {
    if (path === '/api/v1/config') requests += 1;
    return path === '/api/v1/config' ? LOOPS : null;
  });
  const answers = await Promise.all([1, 2, 3, 4].map(() => post({ domain: host })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await post({ domain: host })).json).toMatchObject({ visit: 'recent', listed: true });
  const [name] = host.split(':');
  expect((await post({ domain: `${name}:1001` })).status).toBe(429);
  expect((await post({ domain: `www.${name}` })).status).toBe(429);
  time.ms = 59 * 60_000;
  await post({ domain: host });
  expect(requests).toBe(1);
  using reader = app.store.reader();
  expect(reader.domains.find(parseDomains([`${name}:1001`], app.settings)[0] as never)).toBeNull();
  time.ms = 61 * 60_000;
  expect((await post({ domain: host })).json).toMatchObject({ visit: 'done' });
  expect(requests).toBe(2);
});

test('a hundred submissions whose visits never come keep their places for an hour', async () => {
  const time = { ms: 0 };
  await using store = await openStore({ path: scratchPath() });
  using submissions = new Submissions({
    store,
    hourlyLimit: createHourlyLimit(() => time.ms),
    thirdPartyLimits: { visitAllowedAt: () => null },
    wake: () => undefined,
    isOffline: () => false,
    answerWithinMs: 0,
    now: () => time.ms,
  });
  const submit = (name: string) => submissions.submit(storedDomain(name));
  await Promise.all(Array.from({ length: 100 }, (_, index) => submit(`loops.site${index}.org`)));
  expect(await submit('loops.late.org')).toMatchObject({ kind: 'busy', why: 'Too many domains are waiting.' });
  time.ms += 61 * 60_000;
  expect(await submit('loops.late.org')).toEqual({ kind: 'visiting' });
});

test('a host that the crawl visited within the hour is not visited again', async () => {
  const { listen: serve, post, app } = await createSubmissionServer();
  let requests = 0;
  const host = await serve('known.example', '127.0.9.4', async (path) => {
    if (path === '/api/v1/config') requests += 1;
    return path === '/api/v1/config' ? LOOPS : null;
  });
  const { signal } = new AbortController();
  await app.crawl({ only: parseDomains([host], app.settings), signal, onCompleted: () => undefined });
  expect((await post({ domain: host })).json).toMatchObject({ visit: 'recent', listed: true });
  expect(requests).toBe(1);
});

test('a host visited within the hour under another port is not visited again, even after a restart', async () => {
  const { listen: serve, post, app } = await createSubmissionServer();
  let requests = 0;
  const host = await serve('www.ports.example', '127.0.9.8', async (path) => {
    if (path === '/api/v1/config') requests += 1;
    return path === '/api/v1/config' ? LOOPS : null;
  });
  const { signal } = new AbortController();
  await app.crawl({ only: parseDomains([host], app.settings), signal, onCompleted: () => undefined });
  expect((await post({ domain: 'ports.example' })).status).toBe(429);
  expect((await post({ domain: 'ports.example:4443' })).status).toBe(429);
  expect(requests).toBe(1);
});

test('submitted hosts together cause at most one visit an hour to a third-party host, which then cannot be submitted itself', async () => {
  const { listen: serve, post, app } = await createSubmissionServer({ submissionsPerHour: 1_000 });
  const victimPaths: string[] = [];
  const victim = await serve('victim.example', '127.0.9.20', async (path) => {
    victimPaths.push(path);
    return path === '/2.0' ? { software: { name: 'loops', version: '1' } } : null;
  });
  const href = `https://${victim}/2.0`;
  const links = [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href }];
  const referring = await Promise.all(
    [1, 2, 3].map((number) =>
      serve(`refers${number}.example`, `127.0.9.${20 + number}`, async (path) =>
        path === '/.well-known/nodeinfo' ? { links } : null,
      ),
    ),
  );
  const redirecting = await serve('redirects.example', '127.0.9.30', async (path, _request, response) => {
    if (path === '/robots.txt') response.writeHead(302, { location: `https://${victim}/elsewhere` }).end();
    return path === '/api/v1/config' ? LOOPS : null;
  });
  const submitAll = async () => {
    const listed = [];
    for (const domain of [...referring, redirecting]) {
      const { status, json } = await post({ domain });
      listed.push(status === 200 ? json.listed : status);
    }
    return listed;
  };
  expect(await submitAll()).toEqual([true, 429, 429, 429]);
  using reader = app.store.reader();
  for (const domain of [...referring.slice(1), redirecting] as Domain[])
    expect(reader.domains.find(domain)).toMatchObject({
      verdict: 'unidentified',
      reason: 'third-party-limit',
      failures: 0,
      nextVisitWhy: expect.stringContaining('at its hourly limit'),
    });
  expect(victimPaths).toEqual(['/robots.txt', '/2.0']);
  expect((await post({ domain: victim })).status).toBe(429);
  expect(victimPaths).toHaveLength(2);
});

test('at most ten names under one registrable domain are accepted an hour', async () => {
  const { submissions, app } = await createSubmissionServer({}, { answerWithinMs: 1 });
  const names = Array.from({ length: 12 }, (_, index) => `n${index}.many.example`);
  const answers = await Promise.all(parseDomains(names, app.settings).map((domain) => submissions.submit(domain)));
  expect(answers.map(({ kind }) => kind).filter((kind) => kind === 'busy')).toHaveLength(2);
});

test('a submission gets a 202 if its visit is slow, and a later submission returns the result', async () => {
  const { listen: serve, post } = await createSubmissionServer({}, { answerWithinMs: 50 });
  const gate = Promise.withResolvers<void>();
  const host = await serve('slow.example', '127.0.9.5', async (path) => {
    await gate.promise;
    return path === '/api/v1/config' ? LOOPS : null;
  });
  expect(await post({ domain: host })).toMatchObject({ status: 202, json: { visit: 'running', listed: null } });
  gate.resolve();
  await expect.poll(async () => (await post({ domain: host })).json.listed).toBe(true);
});

test('a domain that opted out is not visited under any name, and gets the same response as any other refused domain', async () => {
  const { listen: serve, post, app } = await createSubmissionServer();
  let requests = 0;
  const host = await serve('gone.example', '127.0.9.6', async () => {
    requests += 1;
    return null;
  });
  const noindex = await serve('noindex.example', '127.0.9.9', async (path, _request, response) => {
    response.setHeader('x-robots-tag', 'noindex');
    return path === '/api/v1/config' ? LOOPS : null;
  });
  app.store.optOuts.forget(parseDomains(['gone.example'], app.settings), Date.now());
  const detail = 'This domain is not accepted: its name is not public, or its owner does not want it to be listed.';
  const refused = [
    'gone.example',
    host,
    `www.${host}`,
    'gone.example:8443',
    noindex,
    'name.invalid',
    'name.unlisted-suffix',
  ];
  for (const domain of refused) {
    const { status, json, headers } = await post({ domain });
    expect([domain, status, headers.get('content-type'), json]).toEqual([
      domain,
      404,
      'application/problem+json',
      { type: 'about:blank', title: 'Not Found', status: 404, detail },
    ]);
  }
  expect(requests).toBe(0);
});

test('the submissions of a client address are limited per hour, refused ones included', async () => {
  const { post } = await createSubmissionServer({ submissionsPerHour: 2 });
  expect((await post({ domain: '127.0.0.1' })).status).toBe(400);
  expect((await post({ domain: 'not a domain' })).status).toBe(400);
  const { status, headers } = await post({ domain: 'fine.example' });
  expect([status, Number(headers.get('retry-after')) > 3_000]).toEqual([429, true]);
});

test('a name that resolves to a private address receives no request', async () => {
  const { listen: serve, post } = await createSubmissionServer({}, { allow: [] });
  let requests = 0;
  const host = await serve('inside.example', '127.0.9.7', async () => {
    requests += 1;
    return LOOPS;
  });
  expect((await post({ domain: host })).json).toMatchObject({ visit: 'done', listed: false });
  expect(requests).toBe(0);
});

test('only JSON of the right shape is accepted, and CORS does not allow cross-origin submissions', async () => {
  const { post, http } = await createSubmissionServer();
  expect((await post('domain=x.example', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  expect((await post('{"domain":"x.example"}', { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post('{"domain":')).status).toBe(400);
  expect((await post('[]')).status).toBe(400);
  expect((await post({ domain: 'x.example', more: 1 })).status).toBe(400);
  expect((await post({ domain: 'x'.repeat(2_000) })).status).toBe(413);
  const preflight = await fetch(`${http.url}/api/v1/submissions`, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  const read = await fetch(`${http.url}/api/v1/submissions`);
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

const INVALID_BODIES: readonly [name: string, body: string, status: number, message: RegExp][] = [
  ['an empty body', '', 400, /The body is empty; send/],
  ['truncated JSON', '{"domain":', 400, /not JSON; send/],
  ['null', 'null', 400, /The body is null; send a JSON object such as \{"domain":"loops.example"\}/],
  ['a list', '["x.example"]', 400, /The body is a list; send/],
  ['a string', '"x.example"', 400, /The body is a string; send/],
  ['no domain', '{}', 400, /cannot be used; send .*"domain" is missing/],
  ['a list of domains', '{"domain":["x.example"]}', 400, /"domain" must be a string, and is a list/],
  ['an empty domain', '{"domain":""}', 400, /"domain" must be at least 1 character/],
  ['an overlong domain', `{"domain":"${'x'.repeat(301)}"}`, 400, /"domain" must be at most 300 characters/],
  ['an overlong body', `{"domain":"${'x'.repeat(2_000)}"}`, 413, /longer than 1024 bytes; send/],
  ['an unknown key', '{"host":"x.example"}', 400, /"host" is not a key of the body; allowed: domain/],
  [
    'an invalid host name',
    '{"domain":"x y"}',
    400,
    /The body does not contain a domain; use .*"domain" is not a domain: /,
  ],
  ['a mail port', '{"domain":"x.example:25"}', 400, /"domain" is not a domain: the port 25/],
  ['an unknown suffix', '{"domain":"x.nowhere"}', 404, /its name is not public/],
];

test('the response to an invalid body names the fault, its place and the cure', async () => {
  const { post } = await createSubmissionServer({ submissionsPerHour: 1_000 });
  const answerTo = async (body: string, headers?: Record<string, string>) => {
    const { status, json } = await post(body, headers);
    const errors = (json.errors ?? []) as { parameter: string; detail: string }[];
    return [status, `${json.detail} ${errors.map(({ parameter, detail }) => `"${parameter}" ${detail}`).join(', ')}`];
  };
  expect(await answerTo('x.example', { 'content-type': 'text/plain' })).toEqual([
    415,
    expect.stringContaining('has the wrong type; send JSON with the header'),
  ]);
  for (const [name, body, status, message] of INVALID_BODIES)
    expect(await answerTo(body), name).toEqual([status, expect.stringMatching(message)]);
});

test('a submission gets a 403 if submissions are disabled, and a 503 from a server without a crawler', async () => {
  const testNetwork = await createTestNetwork();
  const answerOf = async (submissions: boolean) => {
    const settings = testNetwork.settings({}, {}, { serve: { port: 0, submissions } });
    await using _app = await createApp(settings, logger);
    await using http = await listen({ settings, logger, health: () => ({ status: 'ok', problems: [] }) });
    const headers = { 'content-type': 'application/json' };
    const body = '{"domain":"x.example"}';
    const answer = await fetch(`${http.url}/api/v1/submissions`, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { detail: string }).detail];
  };
  expect(await answerOf(false)).toEqual([403, expect.stringContaining('Submissions are disabled')]);
  expect(await answerOf(true)).toEqual([503, expect.stringContaining('no crawler')]);
});
