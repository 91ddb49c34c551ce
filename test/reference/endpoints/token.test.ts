import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  callback,
  createConsentVisitor,
  exchangeOf,
  outOfBand,
  postForm,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

// RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

let now = Date.now();
let server: ReferenceServer;
let url: string;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer({ now: () => now });
  url = `${server.url}/oauth/token`;
  app = await register(server, { redirect_uris: [callback, `${callback}/2`, outOfBand], scopes: 'read write follow' });
});
afterAll(async () => server.close());

const codeFor = (changes: Record<string, string> = {}) =>
  createConsentVisitor(server).codeFor(authorizeQuery(app, changes));
const fetchSelf = (token: unknown) =>
  fetch(`${server.url}/api/v1/account/info/self`, { headers: { authorization: `Bearer ${token}` } });
const basicHeader = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

describe('POST /oauth/token with authorization_code', () => {
  it('sends access_token, token_type, scope and created_at, in seconds, and nothing else', async () => {
    const code = await codeFor({ scope: 'read write' });
    const { status, json, headers } = await postJson(url, exchangeOf(app, code));
    expect(status).toBe(200);
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      scope: 'read write',
      created_at: Math.floor(now / 1000),
    });
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
  });

  it('issues a token that reads the account of the user who approved', async () => {
    const { json } = await postJson(url, exchangeOf(app, await codeFor()));
    const account = (await (await fetchSelf(json.access_token)).json()) as { data: { username: string } };
    expect(account.data.username).toBe(seededAccounts()[0]?.username);
  });

  it('accepts forms, urlencoded and multipart, and JSON with a charset', async () => {
    const form = exchangeOf(app, await codeFor()) as Record<string, string>;
    expect((await postForm(url, form)).status).toBe(200);
    const body = new FormData();
    for (const [name, value] of Object.entries(exchangeOf(app, await codeFor()))) body.append(name, value);
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    const type = { 'content-type': 'application/json;charset=UTF-8' };
    expect((await postJson(url, exchangeOf(app, await codeFor()), type)).status).toBe(200);
  });

  it('accepts the client by HTTP Basic, form-encoded as RFC 6749 requires', async () => {
    const { client_id, client_secret, ...rest } = exchangeOf(app, await codeFor());
    const encodedId = client_id.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`);
    expect((await postJson(url, rest, basicHeader(encodedId, client_secret))).status).toBe(200);
  });

  it('accepts HTTP Basic with the scheme in any case, and with the same client_id in the body', async () => {
    const { client_secret, ...rest } = exchangeOf(app, await codeFor());
    const { authorization } = basicHeader(app.client_id, client_secret);
    const headers = { authorization: authorization.replace('Basic', 'bAsIc') };
    expect((await postJson(url, rest, headers)).status).toBe(200);
  });

  it('reads null as a field that was left out', async () => {
    const code = await codeFor({ scope: 'read write' });
    const answer = await postJson(url, exchangeOf(app, code, { scope: null, code_verifier: null }));
    expect([answer.status, answer.json.scope]).toEqual([200, 'read write']);
  });

  it('names a scope in the error if it is unknown or the app is not registered for it', async () => {
    const { client_id, client_secret } = await register(server);
    const errors = ['read admin', 'follow'].map(async (scope) => {
      const { json } = await postJson(url, { grant_type: 'client_credentials', client_id, client_secret, scope });
      return [json.error, json.error_description];
    });
    expect(await Promise.all(errors)).toEqual([
      ['invalid_scope', 'The scope admin is unknown; the scopes are read, write and follow.'],
      ['invalid_scope', 'The scope follow is beyond what the app is registered for.'],
    ]);
  });

  it('narrows the scope to the requested one', async () => {
    const code = await codeFor({ scope: 'read write' });
    const { json } = await postJson(url, exchangeOf(app, code, { scope: 'write' }));
    expect(json.scope).toBe('write');
    const refused = await fetchSelf(json.access_token);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="Loops", error="insufficient_scope", error_description="The access token does not have the scope read.", scope="read"',
    ]);
  });

  it.each(['grant_type', 'client_id', 'code', 'redirect_uri'])('needs %s', async (name) => {
    for (const missing of [undefined, '']) {
      const { status, json } = await postJson(url, exchangeOf(app, 'any', { [name]: missing }));
      const expected = name === 'client_id' ? [401, 'invalid_client'] : [400, 'invalid_request'];
      expect([status, json.error]).toEqual(expected);
    }
  });

  it('needs client_secret without a challenge', async () => {
    const code = await codeFor();
    const withoutSecret = exchangeOf(app, code, { client_secret: undefined });
    const answer = await postJson(url, withoutSecret);
    expect([answer.status, answer.json.error]).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    expect((await postJson(url, { ...withoutSecret, code_verifier: verifier })).json.error).toBe('invalid_grant');
    expect((await postJson(url, exchangeOf(app, code))).status).toBe(200);
  });

  it('needs client_secret for an out-of-band code without PKCE', async () => {
    const code = await codeFor({ redirect_uri: outOfBand });
    const body = exchangeOf(app, code, { redirect_uri: outOfBand });
    expect((await postJson(url, { ...body, client_secret: undefined })).json.error).toBe('invalid_client');
    expect((await postJson(url, body)).status).toBe(200);
  });

  it('accepts an out-of-band code with PKCE and no secret', async () => {
    const code = await codeFor({ redirect_uri: outOfBand, ...challenge });
    const body = { ...exchangeOf(app, code), redirect_uri: outOfBand, code_verifier: verifier };
    expect((await postJson(url, { ...body, client_secret: undefined })).status).toBe(200);
  });

  it('needs the right verifier for a challenge, with or without a secret', async () => {
    const code = await codeFor(challenge);
    const body = exchangeOf(app, code);
    expect((await postJson(url, body)).json.error).toBe('invalid_grant');
    const wrong = [`${verifier}x`, verifier.toLowerCase(), challenge.code_challenge, 'short', 'é'.repeat(43)];
    for (const client_secret of [app.client_secret, undefined]) {
      for (const code_verifier of wrong) {
        const { status, json } = await postJson(url, { ...body, client_secret, code_verifier });
        expect([code_verifier, status, json.error]).toEqual([code_verifier, 400, 'invalid_grant']);
      }
    }
    const publicClient = { ...body, client_secret: undefined, code_verifier: verifier };
    expect((await postJson(url, publicClient)).status).toBe(200);
  });

  it('accepts verifier and secret together, but not the right verifier with a wrong secret', async () => {
    const code = await codeFor(challenge);
    const body = exchangeOf(app, code, { code_verifier: verifier });
    expect((await postJson(url, { ...body, client_secret: 'wrong' })).json.error).toBe('invalid_client');
    expect((await postJson(url, body)).status).toBe(200);
  });

  it('needs the redirect_uri of the authorization, not another one of the app', async () => {
    const code = await codeFor({ redirect_uri: `${callback}/2` });
    expect((await postJson(url, exchangeOf(app, code))).json.error).toBe('invalid_grant');
    expect((await postJson(url, exchangeOf(app, code, { redirect_uri: `${callback}/2` }))).status).toBe(200);
  });

  it('refuses a code ten minutes after its issue, but not before', async () => {
    const [late, early] = [await codeFor(), await codeFor()];
    const codeLifetimeMs = 600_000;
    now += codeLifetimeMs - 1;
    expect((await postJson(url, exchangeOf(app, early))).status).toBe(200);
    now += 1;
    expect((await postJson(url, exchangeOf(app, late))).json.error).toBe('invalid_grant');
  });

  it('issues tokens with the configured lifetime, and without expiry by default', async () => {
    const permanent = await postJson(url, exchangeOf(app, await codeFor()));
    server.state.lifetimes.token = 60; // seconds
    const expiring = await postJson(url, exchangeOf(app, await codeFor()));
    server.state.lifetimes.token = null;
    now += 60_000;
    const expired = await fetchSelf(expiring.json.access_token);
    expect([expired.status, await expired.json()]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect(expired.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const decadesMs = 1e12;
    now += decadesMs;
    expect((await fetchSelf(permanent.json.access_token)).status).toBe(200);
    now -= decadesMs;
  });
});

describe('POST /oauth/token with client_credentials', () => {
  const client = () => ({
    grant_type: 'client_credentials',
    client_id: app.client_id,
    client_secret: app.client_secret,
  });

  it('issues a token of the app, with the scope read by default', async () => {
    const { status, json } = await postJson(url, client());
    expect([status, json]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', scope: 'read', created_at: Math.floor(now / 1000) },
    ]);
  });

  it('issues a token without a user, which the account endpoint refuses with 403', async () => {
    const { json } = await postForm(url, client());
    expect((await fetchSelf(json.access_token)).status).toBe(403);
  });

  it('needs the secret', async () => {
    const { status, json } = await postJson(url, { ...client(), client_secret: undefined, code_verifier: verifier });
    expect([status, json.error]).toEqual([401, 'invalid_client']);
  });

  it('accepts only the scopes of the app', async () => {
    expect((await postJson(url, { ...client(), scope: 'follow write' })).json.scope).toBe('follow write');
    const { client_id, client_secret } = await register(server);
    const { status, json } = await postJson(url, { ...client(), client_id, client_secret, scope: 'write' });
    expect([status, json.error]).toEqual([400, 'invalid_scope']);
  });
});

it('POST /oauth/token counts as a use of the app, which is then not evicted first', async () => {
  await using small = await createReferenceServer({ limits: { apps: 2 } });
  const [used, unused] = [await register(small), await register(small)];
  const requestToken = ({ client_id, client_secret }: RegisteredApp) =>
    postJson(`${small.url}/oauth/token`, { grant_type: 'client_credentials', client_id, client_secret });
  expect((await requestToken(used)).status).toBe(200);
  await register(small);
  expect([(await requestToken(used)).status, (await requestToken(unused)).status]).toEqual([200, 401]);
});

describe('POST /oauth/token refuses', () => {
  it.each<[fault: string, changes: Record<string, unknown> | string, status: number, error: string]>([
    ['an unknown grant_type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [
      'a grant_type that is an inherited property of objects',
      { grant_type: 'constructor' },
      400,
      'unsupported_grant_type',
    ],
    [
      'the grant_type refresh_token, which does not exist',
      { grant_type: 'refresh_token' },
      400,
      'unsupported_grant_type',
    ],
    ['a grant_type that is a number', { grant_type: 1 }, 400, 'invalid_request'],
    ['a code that is null', { code: null }, 400, 'invalid_request'],
    ['a client_id that is a list', { client_id: ['a'] }, 400, 'invalid_request'],
    ['a client_secret that is an object', { client_secret: {} }, 400, 'invalid_request'],
    ['a scope that is a boolean', { scope: true }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'unknown' }, 401, 'invalid_client'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown code', { code: 'unknown' }, 400, 'invalid_grant'],
    ['a body that is a list', '[]', 400, 'invalid_request'],
    ['a body that is null', 'null', 400, 'invalid_request'],
    ['a body that is a string', '"grant_type"', 400, 'invalid_request'],
    ['a body that is not JSON', '{"grant_type":', 400, 'invalid_request'],
    ['a body that would change prototypes', '{"__proto__":{"grant_type":"x"}}', 400, 'invalid_request'],
    ['no body', '', 400, 'invalid_request'],
  ])('%s', async (_fault, changes, status, error) => {
    const body = typeof changes === 'string' ? changes : exchangeOf(app, 'any', changes);
    const answer = await postJson(url, body);
    expect([answer.status, answer.json.error]).toEqual([status, error]);
    // RFC 6749 section 5.2 allows only printable ASCII.
    expect(answer.json.error_description).toMatch(/^[\x20-\x7e]+$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('www-authenticate')?.startsWith('Basic ') ?? false).toBe(status === 401);
  });

  it('a parameter that a form repeats', async () => {
    const fields = Object.entries(exchangeOf(app, await codeFor())) as string[][];
    // `exchangeOf` sends no scope, so each request adds one; the last field is then a repetition, also of `scope`.
    for (const name of ['grant_type', 'client_id', 'code', 'redirect_uri', 'scope']) {
      const { status, json } = await postForm(url, [...fields, ['scope', 'read'], [name, 'read']]);
      expect([name, status, json.error]).toEqual([name, 400, 'invalid_request']);
    }
  });

  it('parameters in the query instead of the body', async () => {
    const query = new URLSearchParams(exchangeOf(app, await codeFor()) as Record<string, string>);
    expect((await postForm(`${url}?${query}`, '')).status).toBe(400);
  });

  it('two ways of authentication at once, and different clients in the header and the body', async () => {
    const body = exchangeOf(app, await codeFor());
    const header = basicHeader(app.client_id, app.client_secret);
    expect((await postJson(url, body, header)).json.error).toBe('invalid_request');
    const otherClient = { ...body, client_secret: undefined, client_id: (await register(server)).client_id };
    expect((await postJson(url, otherClient, header)).json.error).toBe('invalid_request');
  });

  it.each<[fault: string, authorization: string]>([
    ['empty credentials', 'Basic'],
    ['invalid base64', 'Basic $$$'],
    ['no colon', `Basic ${Buffer.from('abc').toString('base64')}`],
    ['invalid percent-encoding', `Basic ${Buffer.from('%zz:b').toString('base64')}`],
    ['an unknown client', `Basic ${Buffer.from('a:b').toString('base64')}`],
  ])('HTTP Basic with %s', async (_fault, authorization) => {
    const { status, json, headers } = await postJson(url, { grant_type: 'client_credentials' }, { authorization });
    expect([status, json.error]).toEqual([401, 'invalid_client']);
    expect(headers.get('www-authenticate')).toBe('Basic realm="Loops", charset="UTF-8"');
  });

  it('HTTP Basic with a wrong secret', async () => {
    const request = { grant_type: 'client_credentials' };
    const { status, json } = await postJson(url, request, basicHeader(app.client_id, 'wrong'));
    expect([status, json.error]).toEqual([401, 'invalid_client']);
  });
});
