import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { obtainUserToken, register } from '../consent-visitor.ts';

let server: ReferenceServer;
let token: string;
let writeToken: string;
beforeAll(async () => {
  server = await createReferenceServer();
  const app = await register(server, { scopes: 'read write' });
  [token, writeToken] = [await obtainUserToken(server, app), await obtainUserToken(server, app, 'write')];
});
afterAll(async () => server.close());

/** Requests the account with these credentials, and expects that the answer may not be stored. */
const requestAccount = async (authorization?: string) => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const response = await fetch(`${server.url}/api/v1/account/info/self`, { headers });
  expect([authorization, response.headers.get('cache-control')]).toEqual([authorization, 'no-store']);
  return { status: response.status, challenge: response.headers.get('www-authenticate'), json: await response.json() };
};

describe('bearer authentication', () => {
  it('accepts the scheme in any case, and with a second space after it', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
      expect((await requestAccount(`${scheme} ${token}`)).status).toBe(200);
    }
  });

  it('sends a challenge without an error code when credentials are missing or of another scheme', async () => {
    for (const authorization of [undefined, '', 'Basic YTpi', `Token ${token}`, token]) {
      expect(await requestAccount(authorization)).toEqual({
        status: 401,
        challenge: 'Bearer realm="Loops"',
        json: { message: 'Unauthenticated.' },
      });
    }
  });

  it('responds to an unknown token with invalid_token', async () => {
    for (const wrong of ['unknown', `${token}x`, token.slice(1), `${token}=`, 'a.b.c']) {
      expect(await requestAccount(`Bearer ${wrong}`)).toEqual({
        status: 401,
        challenge:
          'Bearer realm="Loops", error="invalid_token", error_description="The access token is unknown, expired or revoked."',
        json: { message: 'Unauthenticated.' },
      });
    }
  });

  it('responds to malformed credentials with 400 and invalid_request', async () => {
    for (const malformed of ['Bearer', `Bearer ${token} ${token}`, `Bearer "${token}"`, `Bearer ${token},x`]) {
      const { status, challenge } = await requestAccount(malformed);
      expect([malformed, status]).toEqual([malformed, 400]);
      expect(challenge).toContain('error="invalid_request"');
    }
  });

  it('responds to a token without the required scope with 403, insufficient_scope and that scope', async () => {
    const { status, challenge } = await requestAccount(`Bearer ${writeToken}`);
    expect(status).toBe(403);
    expect(challenge).toMatch(/^Bearer realm="Loops", error="insufficient_scope", .*, scope="read"$/);
  });

  it('ignores a token in the query', async () => {
    const response = await fetch(`${server.url}/api/v1/account/info/self?access_token=${token}`);
    expect(response.status).toBe(401);
  });
});
