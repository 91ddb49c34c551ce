import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  exchangeOf,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

// The example of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

let server: ReferenceServer;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server);
});
afterAll(async () => server.close());

const codeFor = (changes: Record<string, string>) => createConsentVisitor(server).codeFor(authorizeQuery(app, changes));
const exchange = async (code: string, changes: Record<string, unknown>) =>
  (await postJson(`${server.url}/oauth/token`, exchangeOf(app, code, changes))).json;

describe('a downgrade of PKCE', () => {
  it('to a method other than S256, or to none (which means plain), is refused at the authorization', async () => {
    const visitor = createConsentVisitor(server);
    for (const method of ['plain', undefined, '', 's256', 'S512', 'S256 plain', 'none']) {
      const changes = { code_challenge, code_challenge_method: method, state: 'x' };
      const { status, headers } = await visitor.returnToApp(authorizeQuery(app, changes));
      expect([method, status]).toEqual([method, 303]);
      expect(headers.get('location')).toContain('?error=invalid_request&');
    }
  });

  it('by a second method or challenge is refused at the authorization', async () => {
    const query = authorizeQuery(app, { code_challenge, code_challenge_method: 'S256' });
    const visitor = createConsentVisitor(server);
    for (const second of ['code_challenge_method=plain', 'code_challenge=', 'code%5fchallenge=x']) {
      for (const doubled of [`${query}&${second}`, `${second}&${query}`]) {
        const { headers } = await visitor.returnToApp(doubled);
        expect([doubled, headers.get('location')]).toEqual([
          doubled,
          expect.stringContaining('?error=invalid_request&'),
        ]);
      }
    }
  });

  it('by omitting the verifier fails, even with the right secret', async () => {
    const code = await codeFor({ code_challenge, code_challenge_method: 'S256' });
    expect(await exchange(code, {})).toMatchObject({ error: 'invalid_grant' });
    expect(await exchange(code, { code_verifier: '' })).toMatchObject({ error: 'invalid_grant' });
    expect(await exchange(code, { client_secret: undefined })).toMatchObject({ error: 'invalid_client' });
  });

  it('by sending the challenge as the verifier fails', async () => {
    const code = await codeFor({ code_challenge, code_challenge_method: 'S256' });
    expect(await exchange(code, { code_verifier: code_challenge })).toMatchObject({ error: 'invalid_grant' });
  });

  it('by removing the challenge from the request is detected at the exchange', async () => {
    const code = await codeFor({});
    expect(await exchange(code, { code_verifier: verifier })).toMatchObject({ error: 'invalid_grant' });
    expect(await exchange(code, { code_verifier: verifier, client_secret: undefined })).toMatchObject({
      error: 'invalid_grant',
    });
  });
});
