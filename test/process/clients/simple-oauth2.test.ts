import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { callback, redirectOf, registerApp } from './registered-app.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer({ autoApprove: 'ada' });
});
afterAll(async () => server?.close());

async function configure(authorizationMethod: 'header' | 'body') {
  const client = await registerApp(server, 'simple-oauth2');
  const auth = { tokenHost: server.url, revokePath: '/oauth/revoke' };
  return { client, auth, options: { authorizationMethod } };
}

function self(token: unknown): Promise<Response> {
  return fetch(`${server.url}/api/v1/account/info/self`, { headers: { authorization: `Bearer ${token}` } });
}

describe('simple-oauth2', () => {
  it.each(['header', 'body'] as const)(
    'authorises, reads, revokes and is then refused, with its secret in the %s',
    async (authorizationMethod) => {
      const client = new AuthorizationCode(await configure(authorizationMethod));
      const scope = ['read', 'write'];
      const redirected = await redirectOf(client.authorizeURL({ redirect_uri: callback, scope, state: 'a b' }));
      expect(redirected.searchParams.get('state')).toBe('a b');
      const code = redirected.searchParams.get('code') ?? '';
      const accessToken = await client.getToken({ code, redirect_uri: callback, scope });
      expect(accessToken.token).toMatchObject({ token_type: 'Bearer', scope: 'read write' });
      expect(accessToken.expired()).toBe(false);
      const answer = await self(accessToken.token.access_token);
      expect(await answer.json()).toMatchObject({ data: { username: 'ada' } });
      await accessToken.revoke('access_token');
      expect((await self(accessToken.token.access_token)).status).toBe(401);
    },
  );

  it('gets an app token', async () => {
    const client = new ClientCredentials(await configure('header'));
    const { token } = await client.getToken({ scope: 'read' });
    expect(token).toMatchObject({ token_type: 'Bearer', scope: 'read' });
  });
});
