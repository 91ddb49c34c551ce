import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  exchangeOf,
  obtainUserToken,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

// The example of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

let server: ReferenceServer;
let url: string;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  url = `${server.url}/oauth/token`;
  app = await register(server);
});
afterAll(async () => server.close());

/** The status of the account endpoint: 200 for a valid token, 401 for a revoked one. */
const accountStatus = async (token: unknown) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/api/v1/account/info/self`, { headers })).status;
};

describe('replay of a code', () => {
  it('fails and revokes only the tokens of that code', async () => {
    const bystander = await obtainUserToken(server, app);
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(app));
    const first = await postJson(url, exchangeOf(app, code));
    expect(await accountStatus(first.json.access_token)).toBe(200);
    const again = await postJson(url, exchangeOf(app, code));
    expect([again.status, again.json.error]).toEqual([400, 'invalid_grant']);
    expect(await accountStatus(first.json.access_token)).toBe(401);
    expect(await accountStatus(bystander)).toBe(200);
  });

  it('revokes the tokens even with a wrong verifier or another redirect URI', async () => {
    for (const changes of [{ code_verifier: 'x'.repeat(43) }, { redirect_uri: 'https://evil.example/' }]) {
      const code = await createConsentVisitor(server).codeFor(authorizeQuery(app, challenge));
      const body = exchangeOf(app, code, { client_secret: undefined, code_verifier: verifier });
      const first = await postJson(url, body);
      expect(first.status).toBe(200);
      expect((await postJson(url, { ...body, ...changes })).json.error).toBe('invalid_grant');
      expect(await accountStatus(first.json.access_token)).toBe(401);
    }
  });

  it('requested without PKCE, with a missing or wrong secret, does not revoke the token', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(app));
    const first = await postJson(url, exchangeOf(app, code));
    for (const changes of [{ code_verifier: verifier, client_secret: undefined }, { client_secret: 'wrong' }]) {
      expect((await postJson(url, exchangeOf(app, code, changes))).status).toBeGreaterThanOrEqual(400);
    }
    expect(await accountStatus(first.json.access_token)).toBe(200);
  });

  it('in many concurrent requests issues one token and revokes it', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(app));
    const answers = await Promise.all(Array.from({ length: 12 }, () => postJson(url, exchangeOf(app, code))));
    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    expect(await accountStatus(successes[0]?.json.access_token)).toBe(401);
  });

  it('is recognised even after the code has expired', async () => {
    let now = Date.now();
    await using server = await createReferenceServer({ now: () => now });
    const client = await register(server);
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(client));
    const first = await postJson(`${server.url}/oauth/token`, exchangeOf(client, code));
    expect(first.status).toBe(200);
    // An hour later; a code is valid for ten minutes, a token without limit.
    now += 3_600_000;
    await postJson(`${server.url}/oauth/token`, exchangeOf(client, code));
    const headers = { authorization: `Bearer ${first.json.access_token}` };
    expect((await fetch(`${server.url}/api/v1/account/info/self`, { headers })).status).toBe(401);
  });
});

describe('an exchange that fails inside the server', () => {
  it('leaves the code valid and issues no token', async () => {
    await using failing = await createReferenceServer();
    const client = await register(failing);
    const code = await createConsentVisitor(failing).codeFor(authorizeQuery(client));
    const { tokens } = failing.state.data;
    const { issue } = tokens;
    const exchange = () => postJson(`${failing.url}/oauth/token`, exchangeOf(client, code));
    tokens.issue = (token) => {
      issue(token);
      throw new Error('the disk is full');
    };
    expect((await exchange()).status).toBe(500);
    expect(tokens.count()).toBe(0);
    tokens.issue = issue;
    expect((await exchange()).status).toBe(200);
  });
});
