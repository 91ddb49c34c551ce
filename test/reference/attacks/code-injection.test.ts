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
const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

let server: ReferenceServer;
let url: string;
let victimApp: RegisteredApp;
let attackerApp: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  url = `${server.url}/oauth/token`;
  [victimApp, attackerApp] = [await register(server), await register(server)];
});
afterAll(async () => server.close());

describe('injection of a code', () => {
  it('into another app fails, and the code stays valid for its own app', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victimApp));
    const stolen = await postJson(url, exchangeOf(attackerApp, code));
    expect([stolen.status, stolen.json.error]).toEqual([400, 'invalid_grant']);
    expect((await postJson(url, exchangeOf(victimApp, code))).status).toBe(200);
  });

  it('after its redemption does not let another app revoke the token', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victimApp));
    const { json } = await postJson(url, exchangeOf(victimApp, code));
    expect((await postJson(url, exchangeOf(attackerApp, code))).json.error).toBe('invalid_grant');
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await fetch(`${server.url}/api/v1/account/info/self`, { headers })).status).toBe(200);
  });

  it('with the client_id of its own app and the secret of another fails', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victimApp));
    const { client_secret } = attackerApp;
    expect((await postJson(url, exchangeOf(victimApp, code, { client_secret }))).json.error).toBe('invalid_client');
  });

  it('of the attacker into the session of a user of the same app fails: the verifier does not match', async () => {
    const codeWithoutChallenge = await createConsentVisitor(server).codeFor(authorizeQuery(victimApp));
    const body = exchangeOf(victimApp, codeWithoutChallenge, { code_verifier: verifier });
    expect((await postJson(url, body)).json.error).toBe('invalid_grant');
    const otherChallenge = { ...challenge, code_challenge: challenge.code_challenge.replace('E', 'F') };
    const codeWithOtherChallenge = await createConsentVisitor(server).codeFor(
      authorizeQuery(victimApp, otherChallenge),
    );
    expect(
      (await postJson(url, exchangeOf(victimApp, codeWithOtherChallenge, { code_verifier: verifier }))).json.error,
    ).toBe('invalid_grant');
  });

  it('into another app gets the same answer as an unknown code', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victimApp));
    const unknownCode = 'x'.repeat(code.length);
    const stolen = await postJson(url, exchangeOf(attackerApp, code));
    const unknown = await postJson(url, exchangeOf(attackerApp, unknownCode));
    expect([stolen.status, stolen.text]).toEqual([unknown.status, unknown.text]);
  });
});
