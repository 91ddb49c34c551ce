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

const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

let server: ReferenceServer;
let url: string;
let victim: RegisteredApp;
let attacker: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  url = `${server.url}/oauth/token`;
  [victim, attacker] = [await register(server), await register(server)];
});
afterAll(async () => server.close());

describe('injection of a code', () => {
  it('into another app fails, and the code stays valid for its own app', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victim));
    const stolen = await postJson(url, exchangeOf(attacker, code));
    expect([stolen.status, stolen.json.error]).toEqual([400, 'invalid_grant']);
    expect((await postJson(url, exchangeOf(victim, code))).status).toBe(200);
  });

  it('after its redemption does not let another app revoke the token', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victim));
    const { json } = await postJson(url, exchangeOf(victim, code));
    expect((await postJson(url, exchangeOf(attacker, code))).json.error).toBe('invalid_grant');
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await fetch(`${server.url}/api/v1/account/info/self`, { headers })).status).toBe(200);
  });

  it('with the client_id of its own app and the secret of another fails', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victim));
    const { client_secret } = attacker;
    expect((await postJson(url, exchangeOf(victim, code, { client_secret }))).json.error).toBe('invalid_client');
  });

  it('of the attacker into the session of a victim fails: the verifier of the victim does not match', async () => {
    const codeWithoutChallenge = await createConsentVisitor(server).codeFor(authorizeQuery(victim));
    const body = exchangeOf(victim, codeWithoutChallenge, { code_verifier: verifier });
    expect((await postJson(url, body)).json.error).toBe('invalid_grant');
    const otherChallenge = { ...challenge, code_challenge: challenge.code_challenge.replace('E', 'F') };
    const codeWithOtherChallenge = await createConsentVisitor(server).codeFor(authorizeQuery(victim, otherChallenge));
    expect(
      (await postJson(url, exchangeOf(victim, codeWithOtherChallenge, { code_verifier: verifier }))).json.error,
    ).toBe('invalid_grant');
  });

  it('into another app gets the same answer as an unknown code', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(victim));
    const [real, invented] = [exchangeOf(attacker, code), exchangeOf(attacker, 'x'.repeat(43))];
    expect((await postJson(url, real)).text).toBe((await postJson(url, invented)).text);
  });
});
