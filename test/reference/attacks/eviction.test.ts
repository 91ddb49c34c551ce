import { describe, expect, it } from 'vitest';
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

/** Obtains a token of the app itself. While the token is valid, the account endpoint answers 403, because it has no user. */
const obtainAppToken = async (
  server: ReferenceServer,
  { client_id, client_secret }: RegisteredApp,
): Promise<string> => {
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  return String((await postJson(`${server.url}/oauth/token`, body)).json.access_token);
};
const requestStatus = async (server: ReferenceServer, token: string, path = '/api/v1/account/info/self') =>
  (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status;

describe('an app in use', () => {
  it('is not evicted when more apps are registered than the limit allows', { timeout: 60_000 }, async () => {
    await using server = await createReferenceServer();
    const token = await obtainAppToken(server, await register(server));
    const newApp = { name: 'App', website: '', redirectUris: ['https://a.example/'], scopes: ['read'] };
    const defaultLimit = 5_000;
    for (let count = 0; count < defaultLimit + 100; count += 1) server.state.data.apps.register(newApp, Date.now());
    expect(await requestStatus(server, token)).toBe(403);
    expect(server.state.data.apps.count()).toBe(defaultLimit);
  });

  it('is not evicted while its token is used regularly; an idle app is evicted', async () => {
    await using server = await createReferenceServer({ limits: { apps: 20 } });
    const token = await obtainAppToken(server, await register(server));
    const userToken = await obtainUserToken(server, await register(server));
    const idleToken = await obtainAppToken(server, await register(server));
    const [video] = server.state.data.videos.all();
    for (let count = 0; count < 30; count += 1) {
      expect(await requestStatus(server, token)).toBe(403);
      expect(await requestStatus(server, userToken, `/api/v1/video/${video?.id}`)).toBe(200);
      await obtainAppToken(server, await register(server));
    }
    expect(await requestStatus(server, userToken)).toBe(200);
    expect(await requestStatus(server, idleToken)).toBe(401);
  });

  it('counts as used when a user approves it, before it gets a token', async () => {
    await using server = await createReferenceServer({ limits: { apps: 2 } });
    const app = await register(server);
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(app));
    for (let count = 0; count < 5; count += 1) await register(server);
    expect((await postJson(`${server.url}/oauth/token`, exchangeOf(app, code))).status).toBe(200);
  });

  it('counts as used when it gets a token', async () => {
    await using server = await createReferenceServer({ limits: { apps: 2 } });
    const token = await obtainAppToken(server, await register(server));
    for (let count = 0; count < 5; count += 1) await register(server);
    expect(await requestStatus(server, token)).toBe(403);
  });
});

describe('a token', () => {
  it('is not evicted by another app that requests many, but the oldest token of that app is', async () => {
    await using server = await createReferenceServer({ limits: { tokens: 50 } });
    const token = await obtainUserToken(server, await register(server));
    const greedy = await register(server);
    const [first = ''] = await Promise.all(Array.from({ length: 60 }, () => obtainAppToken(server, greedy)));
    expect([await requestStatus(server, token), await requestStatus(server, first)]).toEqual([200, 401]);
    expect(server.state.data.tokens.count()).toBe(50);
  });
});
