import { afterEach, beforeEach, expect, it } from 'vitest';
import { createReferenceServer, giveToken, type ReferenceServer } from '../../../src/reference/index.ts';
import {
  authorizeQuery,
  callback,
  createConsentVisitor,
  exchangeOf,
  postForm,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

let server: ReferenceServer;
let app: RegisteredApp;
let now: number;
beforeEach(async () => {
  now = Date.now();
  server = await createReferenceServer({ profile: 'live', rateLimit: null, now: () => now });
  app = await register(server, { redirect_uris: [callback] });
});
afterEach(() => server.close());

const visit = (scope?: string) => authorizeQuery(app, { scope });

async function tokenFor(scope?: string) {
  const code = await createConsentVisitor(server).codeFor(visit(scope));
  return (await postForm(`${server.url}/oauth/token`, exchangeOf(app, code, { scope: 'user:write' }))).json;
}

function refresh(token: unknown, changes: object = {}) {
  const { client_id, client_secret } = app;
  const body = { grant_type: 'refresh_token', client_id, client_secret, refresh_token: token, ...changes };
  return postJson(`${server.url}/oauth/token`, body);
}

const statusWith = async (token: unknown, path = '/api/v1/account/info/self', method = 'GET') =>
  (await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` } })).status;

it('a token has exactly the four fields of live servers, and needs no scope', async () => {
  const token = await tokenFor();
  expect(token).toEqual({
    token_type: 'Bearer',
    expires_in: 31_536_000,
    access_token: expect.any(String),
    refresh_token: expect.any(String),
  });
  expect(await statusWith(token.access_token)).toBe(200);
});

it('a token has the scopes that the user approved, whatever the token request names', async () => {
  const { access_token } = await tokenFor('user:read video:read');
  expect(server.state.data.tokens.find(String(access_token), now)?.scopes).toEqual(['user:read', 'video:read']);
});

it('the consent page has no empty list when the app asks for no scope', async () => {
  const visitor = createConsentVisitor(server);
  expect((await visitor.signIn(visit('user:read'))).text).toMatch(/It wants to.*\n<ul><li>/);
  expect((await visitor.open(visit())).text).not.toMatch(/It wants to|<ul><\/ul>/);
});

it('the scopes of the specification are unknown', async () => {
  const page = await createConsentVisitor(server).returnToApp(visit('read'));
  const location = new URL(page.headers.get('location') ?? '');
  expect([...location.searchParams.keys()]).toEqual(['error', 'error_description']);
  expect(location.searchParams.get('error')).toBe('invalid_scope');
});

it('a refresh token replaces the token once, even after its expiry', async () => {
  const first = await tokenFor('user:read');
  now += 31_536_001_000;
  expect(await statusWith(first.access_token)).toBe(401);
  const { status, json } = await refresh(first.refresh_token);
  expect([status, Object.keys(json)]).toEqual([200, ['token_type', 'expires_in', 'access_token', 'refresh_token']]);
  expect(await statusWith(json.access_token)).toBe(200);
  expect(server.state.data.tokens.find(String(json.access_token), now)?.scopes).toEqual(['user:read']);
  expect(await refresh(first.refresh_token)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
});

it('a refresh token is refused to another app, without a secret, and when it is unknown or missing', async () => {
  const { refresh_token } = await tokenFor();
  const other = await register(server, { redirect_uris: [callback] });
  const { client_id, client_secret } = other;
  const errorOf = async (...parameters: Parameters<typeof refresh>) => (await refresh(...parameters)).json.error;
  expect(await errorOf(refresh_token, { client_id, client_secret })).toBe('invalid_grant');
  expect(await errorOf(refresh_token, { client_secret: undefined })).toBe('invalid_client');
  expect(await errorOf('unknown')).toBe('invalid_grant');
  expect(await errorOf(undefined)).toBe('invalid_request');
  expect((await refresh(refresh_token)).status).toBe(200);
});

it('an app gets no token of its own, and there is no revocation and no metadata', async () => {
  const grant = { grant_type: 'client_credentials', client_id: app.client_id, client_secret: app.client_secret };
  expect(await postJson(`${server.url}/oauth/token`, grant)).toMatchObject({
    status: 400,
    json: { error: 'unauthorized_client' },
  });
  for (const [method, path] of [
    ['POST', '/oauth/revoke'],
    ['GET', '/oauth/revoke'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ] as const) {
    const response = await fetch(server.url + path, { method });
    expect([path, response.status, await response.json()]).toEqual([path, 404, { message: 'Not Found.' }]);
  }
});

it('a consent is remembered for the scopes of a valid token', async () => {
  const visitor = createConsentVisitor(server);
  const code = await visitor.codeFor(visit('user:read video:read'));
  // A code alone is not remembered.
  expect((await visitor.open(visit('user:read'))).status).toBe(200);
  const { json } = await postJson(`${server.url}/oauth/token`, exchangeOf(app, code));
  const { status, headers } = await visitor.open(visit('user:read'));
  expect([status, new URL(headers.get('location') ?? '').searchParams.has('code')]).toEqual([303, true]);
  expect((await visitor.open(visit('user:read user:write'))).status).toBe(200);
  await statusWith(json.access_token, '/api/v1/app/logout', 'POST');
  expect((await visitor.open(visit('user:read'))).status).toBe(200);
});

it('a logout revokes every token of the user and their refresh tokens, and no other', async () => {
  const token = await tokenFor();
  const other = giveToken(server).access_token;
  const noor = giveToken(server, { username: 'noor' }).access_token;
  expect(await statusWith(token.access_token, '/api/v1/app/logout', 'POST')).toBe(200);
  expect([await statusWith(token.access_token), await statusWith(other), await statusWith(noor)]).toEqual([
    401, 401, 200,
  ]);
  expect((await refresh(token.refresh_token)).status).toBe(400);
});

it('the profile spec has no logout', async () => {
  server.state.profile = 'spec';
  for (const method of ['GET', 'POST']) {
    expect(await statusWith(giveToken(server).access_token, '/api/v1/app/logout', method)).toBe(404);
  }
});
