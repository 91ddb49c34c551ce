import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  callback,
  createConsentVisitor,
  formOf,
  type PageAnswer,
  postForm,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

let server: ReferenceServer;
let app: RegisteredApp;
let query: string;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server, { scopes: 'read write' });
  query = authorizeQuery(app);
});
afterAll(async () => server.close());

const account = seededAccounts()[0] ?? { username: '', password: '' };

function expectRefused({ status, headers, text }: PageAnswer): void {
  expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([403, null, []]);
  expect(text).toContain('Start again');
}

describe('a forged approval', () => {
  it('without a token, or with an empty, an invented or a second token, is refused', async () => {
    const visitor = createConsentVisitor(server);
    const { token } = formOf(await visitor.signIn(query));
    const codesBefore = server.state.data.codes.count();
    const headers = { cookie: visitor.cookie() };
    const url = `${server.url}/oauth/authorize?${query}`;
    for (const body of [
      { action: 'approve' },
      { action: 'approve', token: '' },
      { action: 'approve', token: 'x'.repeat(43) },
    ]) {
      expectRefused(await postForm(url, body as Record<string, string>, headers));
    }
    const twoTokens = [
      ['action', 'approve'],
      ['token', token],
      ['token', 'invented'],
    ];
    expectRefused(await postForm(url, twoTokens, headers));
    expect(server.state.data.codes.count()).toBe(codesBefore);
  });

  it('with the token of the attacker, who is signed in too, is refused', async () => {
    const [victim, attacker] = [createConsentVisitor(server), createConsentVisitor(server)];
    await victim.signIn(query);
    const page = await attacker.signIn(query, seededAccounts()[1]);
    const { token } = formOf(page);
    expectRefused(
      await postForm(
        `${server.url}/oauth/authorize?${query}`,
        { action: 'approve', token },
        { cookie: victim.cookie() },
      ),
    );
  });

  it('with the token of the sign-in form, or of another request, is refused', async () => {
    const visitor = createConsentVisitor(server);
    const first = await visitor.open(query);
    const { token: signInToken } = formOf(first);
    const page = await visitor.signIn(query);
    const headers = { cookie: visitor.cookie() };
    expectRefused(
      await postForm(`${server.url}/oauth/authorize?${query}`, { action: 'approve', token: signInToken }, headers),
    );
    const { token } = formOf(page);
    for (const otherQuery of [`${query}&state=x`, `${query}&scope=write`, authorizeQuery(await register(server))]) {
      expectRefused(
        await postForm(`${server.url}/oauth/authorize?${otherQuery}`, { action: 'approve', token }, headers),
      );
    }
  });

  it('that a browser reports to be from another origin is refused, even with a valid token', async () => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.signIn(query);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: server.url.replace('127.0.0.1', 'localhost') },
      { origin: 'http://127.0.0.1:1' },
      // Not an origin, because the port is too large; it begins like the origin of the server.
      { origin: `${server.url}1` },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[]) {
      expectRefused(await visitor.submit(page, 'approve', {}, headers));
    }
    const sameOrigin = await visitor.submit(
      page,
      'approve',
      {},
      { origin: server.url, 'sec-fetch-site': 'same-origin' },
    );
    expect(sameOrigin.headers.get('location')).toContain(`${callback}?code=`);
  });

  it('by GET issues no code', async () => {
    const visitor = createConsentVisitor(server);
    const { token } = formOf(await visitor.signIn(query));
    const codesBefore = server.state.data.codes.count();
    const { status, headers } = await visitor.open(`${query}&action=approve&token=${token}`);
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(server.state.data.codes.count()).toBe(codesBefore);
  });

  it('in JSON, plain text or multipart is refused', async () => {
    const visitor = createConsentVisitor(server);
    const { token } = formOf(await visitor.signIn(query));
    const body = JSON.stringify({ action: 'approve', token });
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { cookie: visitor.cookie(), 'content-type': type };
      const init = { method: 'POST', headers, body, redirect: 'manual' as const };
      const { status } = await fetch(`${server.url}/oauth/authorize?${query}`, init);
      expect([type, status]).toEqual([type, 415]);
    }
  });
});

describe('a forged sign-in or sign-out', () => {
  it('without the cookie to which its token is bound is refused', async () => {
    const { token } = formOf(await createConsentVisitor(server).open(query));
    const body = { action: 'sign-in', token, ...account };
    const url = `${server.url}/oauth/authorize?${query}`;
    expectRefused(await postForm(url, body));
    const otherVisitor = createConsentVisitor(server);
    await otherVisitor.open(query);
    expectRefused(await postForm(url, body, { cookie: otherVisitor.cookie() }));
  });

  it('that a browser reports to be from another site is refused', async () => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.open(query);
    expectRefused(await visitor.submit(page, 'sign-in', account, { origin: 'https://evil.example' }));
    expectRefused(await visitor.submit(page, 'sign-in', account, { 'sec-fetch-site': 'cross-site' }));
  });

  it('without a token is refused, and the user stays signed in', async () => {
    const visitor = createConsentVisitor(server);
    await visitor.signIn(query);
    const url = `${server.url}/oauth/authorize?${query}`;
    expectRefused(await postForm(url, { action: 'sign-out' }, { cookie: visitor.cookie() }));
    expect((await visitor.open(query)).text).toContain('Approve');
  });

  it('lacks the cookie, which browsers do not send with POST requests from other sites', async () => {
    const page = await createConsentVisitor(server).open(query);
    expect(page.headers.getSetCookie()).toEqual([expect.stringMatching(/; Path=\/oauth; HttpOnly; SameSite=Lax$/)]);
  });
});
