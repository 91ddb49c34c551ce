import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  callback,
  createConsentVisitor,
  exchangeOf,
  outOfBand,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

// RFC 7636, appendix B.
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

let server: ReferenceServer;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server, {
    client_name: 'Clips for Desktop',
    website: 'https://client.example/about',
    redirect_uris: [callback, `${callback}?kept=1&`, 'app.example:/done', outOfBand],
    scopes: 'read write',
  });
});
afterAll(async () => server.close());

/** The issuer in every redirect to a client (RFC 9207), as part of a pattern. */
const issPattern = 'iss=http%3A%2F%2F127\\.0\\.0\\.1%3A\\d+';

const locationOf = (answer: { headers: Headers }) => answer.headers.get('location') ?? '';

describe('GET /oauth/authorize', () => {
  it('asks for username and password first, then for consent', async () => {
    const visitor = createConsentVisitor(server);
    const query = authorizeQuery(app, { scope: 'read write', state: 'x' });
    const first = await visitor.open(query);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(first.text).toMatch(/<label for="username">.*\n<input id="username"/);
    expect(first.text).toMatch(/<label for="password">.*\n<input id="password" name="password" type="password"/);
    const { username = '' } = seededAccounts()[0] ?? {};
    const { text } = await visitor.signIn(query);
    for (const shown of [
      'Clips for Desktop',
      'href="https://client.example/about"',
      'client.example',
      `@${username}`,
      'Read your account',
      'Post, change and delete things in your name',
    ]) {
      expect(text).toContain(shown);
    }
    expect(text).not.toContain('Follow');
    expect([...text.matchAll(/<button[^>]*>([^<]*)</g)].map(([, label]) => label)).toEqual([
      'Approve',
      'Deny',
      'Use another account',
    ]);
  });

  it('sends the browser back with code and state once approved', async () => {
    const answer = await createConsentVisitor(server).approve(authorizeQuery(app, { state: 'a b+c' }));
    expect(answer.status).toBe(303);
    expect(locationOf(answer)).toMatch(
      RegExp(`^https://client\\.example/callback\\?code=[\\w-]{43}&${issPattern}&state=a%20b%2Bc$`),
    );
  });

  it('omits a missing state, and keeps an empty one', async () => {
    const visitor = createConsentVisitor(server);
    expect(locationOf(await visitor.approve(authorizeQuery(app)))).not.toContain('state');
    expect(locationOf(await visitor.approve(authorizeQuery(app, { state: '' })))).toMatch(/&state=$/);
  });

  it('sends the browser back with access_denied and state once denied, and gives no code', async () => {
    const visitor = createConsentVisitor(server);
    const before = server.state.data.codes.count();
    const denied = await visitor.submit(await visitor.signIn(authorizeQuery(app, { state: 's' })), 'deny');
    expect([denied.status, locationOf(denied)]).toEqual([
      303,
      `${callback}?error=access_denied&error_description=The%20user%20denied%20the%20request.&iss=${encodeURIComponent(server.url)}&state=s`,
    ]);
    expect(server.state.data.codes.count()).toBe(before);
  });

  it('keeps the query of a registered redirect URI, and redirects to schemes of apps', async () => {
    const visitor = createConsentVisitor(server);
    const withQuery = await visitor.approve(authorizeQuery(app, { redirect_uri: `${callback}?kept=1&` }));
    expect(locationOf(withQuery)).toMatch(
      RegExp(`^https://client\\.example/callback\\?kept=1&code=[\\w-]{43}&${issPattern}$`),
    );
    const native = await visitor.approve(authorizeQuery(app, { redirect_uri: 'app.example:/done', state: 's' }));
    expect(locationOf(native)).toMatch(RegExp(`^app\\.example:/done\\?code=[\\w-]{43}&${issPattern}&state=s$`));
  });

  it('shows the code on a page for urn:ietf:wg:oauth:2.0:oob, and the denial too', async () => {
    const visitor = createConsentVisitor(server);
    const query = authorizeQuery(app, { redirect_uri: outOfBand });
    const page = await visitor.approve(query);
    expect([page.status, locationOf(page)]).toEqual([200, '']);
    const code = /<output id="code"[^>]*>([\w-]{43})<\/output>/.exec(page.text)?.[1];
    const exchange = exchangeOf(app, code ?? '', { redirect_uri: outOfBand });
    expect((await postJson(`${server.url}/oauth/token`, exchange)).status).toBe(200);
    const denied = await visitor.submit(await visitor.open(query), 'deny');
    expect([denied.status, locationOf(denied)]).toEqual([200, '']);
    expect(denied.text).toContain('access_denied');
  });

  it('grants what was approved: the requested scope, or read', async () => {
    for (const [scope, granted] of [
      [undefined, 'read'],
      ['write', 'write'],
      ['write read', 'write read'],
    ] as const) {
      const code = await createConsentVisitor(server).codeFor(authorizeQuery(app, { scope }));
      const { json } = await postJson(`${server.url}/oauth/token`, exchangeOf(app, code));
      expect(json.scope).toBe(granted);
    }
  });

  it('reads + and %20 in the scope as a space', async () => {
    for (const scope of ['read+write', 'read%20write']) {
      const page = await createConsentVisitor(server).signIn(`${authorizeQuery(app)}&scope=${scope}`);
      expect(page.text).toContain('<code>write</code>');
    }
  });

  it.each<[fault: string, changes: Record<string, string | undefined>, error: string]>([
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
    ['a scope that the app was not registered for', { scope: 'read follow' }, 'invalid_scope'],
    ['a malformed scope', { scope: 'read,write' }, 'invalid_scope'],
    ['a challenge without a method, which means plain', { code_challenge: challenge }, 'invalid_request'],
    ['the method plain', { code_challenge: challenge, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a challenge that is too short', { code_challenge: 'abc', code_challenge_method: 'S256' }, 'invalid_request'],
    ['a challenge with padding', { code_challenge: `${challenge}=`, code_challenge_method: 'S256' }, 'invalid_request'],
  ])('reports %s to the client, with state', async (_fault, changes, error) => {
    const answer = await createConsentVisitor(server).returnToApp(authorizeQuery(app, { state: 'st', ...changes }));
    expect(answer.status).toBe(303);
    const { origin, pathname, searchParams } = new URL(locationOf(answer));
    expect(origin + pathname).toBe(callback);
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual([error, 'st']);
    // RFC 6749 section 4.1.2.1 allows only printable ASCII.
    expect(searchParams.get('error_description')).toMatch(/^[\x20-\x7e]+\.$/);
  });

  it('reports errors of out-of-band clients on a page', async () => {
    const query = authorizeQuery(app, { redirect_uri: outOfBand, scope: 'admin' });
    const { status, text, headers } = await createConsentVisitor(server).open(query);
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(text).toContain('<code id="error">invalid_scope</code>');
  });

  it.each<[fault: string, change: (query: string) => string]>([
    ['no client_id', (query) => query.replace(/client_id=[^&]*/, '')],
    ['an unknown client_id', (query) => query.replace('client_id=', 'client_id=x')],
    ['two client_ids', (query) => `${query}&client_id=${app.client_id}`],
    ['no redirect_uri', (query) => query.replace(/redirect_uri=[^&]*/, '')],
    ['an unregistered redirect_uri', (query) => query.replace('callback', 'elsewhere')],
    ['two redirect_uris', (query) => `${query}&redirect_uri=${encodeURIComponent(callback)}`],
    ['nothing at all', () => ''],
  ])('responds to %s with a page and 400, without a redirect', async (_fault, change) => {
    const { status, headers, text } = await createConsentVisitor(server).open(change(authorizeQuery(app)));
    expect([status, headers.get('location')]).toEqual([400, null]);
    expect(text).toContain('<p role="alert">');
    expect(text).not.toContain('<form');
  });
});

describe('the sign-in page', () => {
  it('reports a failed sign-in accessibly, keeps the username, and allows another try', async () => {
    const { username = '', password = '' } = seededAccounts()[0] ?? {};
    for (const wrong of [
      { username, password: 'wrong' },
      { username: 'nobody', password },
      { username, password: '' },
    ]) {
      const visitor = createConsentVisitor(server);
      const failed = await visitor.submit(await visitor.open(authorizeQuery(app)), 'sign-in', wrong);
      expect([failed.status, failed.headers.getSetCookie()]).toEqual([422, []]);
      expect(failed.text).toContain('<p class="error" id="sign-in-error" role="alert">');
      // Both inputs refer to the error.
      expect(failed.text.match(/aria-describedby="sign-in-error"/g)).toHaveLength(2);
      expect(failed.text).toContain(`value="${wrong.username}"`);
      expect((await visitor.submit(failed, 'sign-in', { username, password })).status).toBe(303);
    }
  });

  it('is not shown again after a sign-in: the next request shows the consent page', async () => {
    const visitor = createConsentVisitor(server);
    await visitor.signIn(authorizeQuery(app));
    expect((await visitor.open(authorizeQuery(app, { state: 'other' }))).text).toContain('Approve');
  });

  it('comes back after a press of "Use another account", and the old cookie is invalid', async () => {
    const visitor = createConsentVisitor(server);
    const query = authorizeQuery(app);
    const page = await visitor.signIn(query);
    const before = visitor.cookie();
    expect((await visitor.submit(page, 'sign-out')).status).toBe(303);
    expect((await visitor.open(query)).text).toContain('id="password"');
    expect((await createConsentVisitor(server).open(query, { cookie: before })).text).toContain('id="password"');
    const second = seededAccounts()[1];
    expect((await visitor.signIn(query, second)).text).toContain(`@${second?.username}`);
  });

  it('comes back when the session has expired, even after a press of "Approve"', async () => {
    let now = Date.now();
    await using serverWithClock = await createReferenceServer({ now: () => now, lifetimes: { session: 60 } });
    const visitor = createConsentVisitor(serverWithClock);
    const query = authorizeQuery(await register(serverWithClock));
    const page = await visitor.signIn(query);
    now += 60_000;
    expect((await visitor.open(query)).text).toContain('id="password"');
    const late = await visitor.submit(page, 'approve');
    expect([late.status, late.headers.get('location')]).toEqual([303, `/oauth/authorize?${query}`]);
  });
});

describe('the forms of the consent pages', () => {
  it('are validated again: an app that was evicted meanwhile gets no redirect', async () => {
    await using small = await createReferenceServer({ limits: { apps: 1 } });
    const visitor = createConsentVisitor(small);
    const page = await visitor.signIn(authorizeQuery(await register(small)));
    await register(small);
    const { status, headers } = await visitor.submit(page, 'approve');
    expect([status, headers.get('location')]).toEqual([400, null]);
  });

  it('are signed with a key that the database stores, and are refused after a change of the key', async () => {
    const query = authorizeQuery(app);
    const visitor = createConsentVisitor(server);
    const page = await visitor.signIn(query);
    expect(server.state.data.setting('form-key')).toMatch(/^[\w-]{43}$/);
    expect((await visitor.submit(page, 'approve')).status).toBe(303);
    server.state.data.setSetting('form-key', 'another');
    expect((await visitor.submit(page, 'approve')).status).toBe(403);
  });

  it('answer an unknown button with a redirect to the page', async () => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.signIn(authorizeQuery(app));
    const { status, headers } = await visitor.submit(page, 'elsewhere');
    expect([status, headers.get('location')]).toEqual([303, `/oauth/authorize?${authorizeQuery(app)}`]);
  });
});
