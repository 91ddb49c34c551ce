import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  exchangeOf,
  obtainUserToken,
  postForm,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

let server: ReferenceServer;
let url: string;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  url = `${server.url}/oauth/revoke`;
  app = await register(server);
});
afterAll(async () => server.close());

const clientCredentials = () => ({ client_id: app.client_id, client_secret: app.client_secret });
const fetchSelfStatus = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/api/v1/account/info/self`, { headers })).status;
};

describe('POST /oauth/revoke', () => {
  it('revokes a token at once and responds with 200 and an empty object, also the second time', async () => {
    const token = await obtainUserToken(server, app);
    expect(await fetchSelfStatus(token)).toBe(200);
    for (let count = 0; count < 2; count += 1) {
      const { status, json, headers } = await postJson(url, { ...clientCredentials(), token });
      expect([status, json, headers.get('cache-control')]).toEqual([200, {}, 'no-store']);
      expect(await fetchSelfStatus(token)).toBe(401);
    }
  });

  it('leaves the other tokens of the app valid', async () => {
    const [revoked, kept] = [await obtainUserToken(server, app), await obtainUserToken(server, app)];
    await postJson(url, { ...clientCredentials(), token: revoked });
    expect([await fetchSelfStatus(revoked), await fetchSelfStatus(kept)]).toEqual([401, 200]);
  });

  it('accepts a form and HTTP Basic, and ignores the Bearer header that some clients always send', async () => {
    const [first, second] = [await obtainUserToken(server, app), await obtainUserToken(server, app)];
    const authorization = `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`;
    expect((await postForm(url, { token: first }, { authorization })).status).toBe(200);
    const bearer = { authorization: `Bearer ${second}` };
    expect((await postForm(url, { ...clientCredentials(), token: second }, bearer)).status).toBe(200);
    expect([await fetchSelfStatus(first), await fetchSelfStatus(second)]).toEqual([401, 401]);
  });

  it('ignores token_type_hint', async () => {
    for (const token_type_hint of ['access_token', 'refresh_token', 'unheard_of']) {
      const token = await obtainUserToken(server, app);
      expect((await postJson(url, { ...clientCredentials(), token, token_type_hint })).status).toBe(200);
      expect(await fetchSelfStatus(token)).toBe(401);
    }
  });

  it('responds with 200 for an unknown token', async () => {
    const { status, json } = await postJson(url, { ...clientCredentials(), token: 'never' });
    expect([status, json]).toEqual([200, {}]);
  });

  it('refuses to revoke the token of another app, which stays valid', async () => {
    const token = await obtainUserToken(server, app);
    const { client_id, client_secret } = await register(server);
    const { status, json } = await postJson(url, { client_id, client_secret, token });
    expect([status, json.error]).toEqual([400, 'unauthorized_client']);
    expect(await fetchSelfStatus(token)).toBe(200);
  });

  it('lets a client that sends no secret revoke only tokens issued without one', async () => {
    const confidential = await obtainUserToken(server, app);
    const { client_id } = app;
    const refused = await postJson(url, { client_id, token: confidential });
    expect([refused.status, refused.json.error, await fetchSelfStatus(confidential)]).toEqual([
      401,
      'invalid_client',
      200,
    ]);

    // The shortest verifier of RFC 7636.
    const verifier = 'v'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = authorizeQuery(app, { code_challenge: challenge, code_challenge_method: 'S256' });
    const code = await createConsentVisitor(server).codeFor(query);
    const body = exchangeOf(app, code, { client_secret: undefined, code_verifier: verifier });
    const token = String((await postJson(`${server.url}/oauth/token`, body)).json.access_token);
    expect(await fetchSelfStatus(token)).toBe(200);
    expect((await postJson(url, { client_id, token })).status).toBe(200);
    expect(await fetchSelfStatus(token)).toBe(401);
  });

  it('revokes a token of the app itself', async () => {
    const { json } = await postJson(`${server.url}/oauth/token`, {
      ...clientCredentials(),
      grant_type: 'client_credentials',
    });
    // 403: the token is valid, but has no user.
    expect(await fetchSelfStatus(String(json.access_token))).toBe(403);
    await postJson(url, { ...clientCredentials(), token: json.access_token });
    expect(await fetchSelfStatus(String(json.access_token))).toBe(401);
  });

  it.each<[fault: string, changes: Record<string, unknown>, status: number, error: string]>([
    ['no token', { token: undefined }, 400, 'invalid_request'],
    ['a token that is a number', { token: 7 }, 400, 'invalid_request'],
    ['no client', { client_id: undefined, client_secret: undefined }, 401, 'invalid_client'],
    ['an unknown client', { client_id: 'unknown', client_secret: undefined }, 401, 'invalid_client'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ])('refuses %s', async (_fault, changes, status, error) => {
    const answer = await postJson(url, { ...clientCredentials(), token: 'any', ...changes });
    expect([answer.status, answer.json.error]).toEqual([status, error]);
  });
});
