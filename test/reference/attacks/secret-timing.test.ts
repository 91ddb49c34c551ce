import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, createConsentVisitor, exchangeOf, postJson, register } from '../consent-visitor.ts';

const compare = vi.spyOn(crypto, 'timingSafeEqual');
const hash = vi.spyOn(crypto, 'scryptSync');
syncBuiltinESMExports();
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});
/** The byte lengths of the two values of each comparison in constant time. */
const comparedLengths = () => compare.mock.calls.map((values) => values.map(({ byteLength }) => byteLength));

let server: Awaited<ReturnType<typeof createReferenceServer>>;
let app: Awaited<ReturnType<typeof register>>;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server);
});
afterAll(async () => server.close());
beforeEach(() => {
  compare.mockClear();
});

const requestToken = (body: unknown) => postJson(`${server.url}/oauth/token`, body);
const clientCredentials = (client_id: string, client_secret: string) => ({
  grant_type: 'client_credentials',
  client_id,
  client_secret,
});

/** The length of a SHA-256 digest: in bytes, and in characters of base64url. */
const digestBytes = 32;
const digestCharacters = 43;

describe('the comparison of secrets', () => {
  it('uses digests and takes constant time, whether the secret is right, partly wrong, short or long', async () => {
    const { client_id, client_secret: right } = app;
    const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
    const last = right.length - 1;
    for (const secret of [right, flip(right, 0), flip(right, last), right.slice(0, last), 'x', 'x'.repeat(10_000)]) {
      compare.mockClear();
      expect((await requestToken(clientCredentials(client_id, secret))).status).toBe(secret === right ? 200 : 401);
      expect(comparedLengths()).toEqual([[digestBytes, digestBytes]]);
    }
  });

  it('also takes place for an unknown client, which gets the same answer', async () => {
    const unknown = await requestToken(clientCredentials('unknown', 'wrong'));
    expect(comparedLengths()).toEqual([[digestBytes, digestBytes]]);
    const wrong = await requestToken(clientCredentials(app.client_id, 'wrong'));
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });

  it('takes constant time for PKCE verifiers', async () => {
    const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const query = authorizeQuery(app, { code_challenge, code_challenge_method: 'S256' });
    const code = await createConsentVisitor(server).codeFor(query);
    // The second is the verifier of the challenge (RFC 7636, appendix B).
    for (const code_verifier of ['x'.repeat(43), 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk']) {
      compare.mockClear();
      await requestToken(exchangeOf(app, code, { client_secret: undefined, code_verifier }));
      expect(comparedLengths()).toEqual([[digestCharacters, digestCharacters]]);
    }
  });

  it('takes constant time for form tokens and passwords, even the password of an unknown user', async () => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.open(authorizeQuery(app));
    for (const username of [server.state.data.accounts.all()[0]?.username ?? '', 'nobody']) {
      compare.mockClear();
      hash.mockClear();
      expect((await visitor.submit(page, 'sign-in', { username, password: 'wrong' })).status).toBe(422);
      const [formToken, password, ...others] = comparedLengths();
      expect(formToken).toEqual([digestCharacters, digestCharacters]);
      expect(password).toEqual([digestBytes, digestBytes]);
      expect(others).toEqual([]);
      expect(hash.mock.calls.map(([password]) => password)).toEqual(['wrong']);
    }
  });
});
