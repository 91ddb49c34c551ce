import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { callback, redirectOf, registerApp } from './registered-app.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer({ autoApprove: 'ada' });
});
afterAll(async () => server?.close());

/** Discovers the server for a new app; `authentication` proves the identity of the app. */
async function configure(authentication?: (secret: string) => client.ClientAuth): Promise<client.Configuration> {
  const { id, secret } = await registerApp(server, 'openid-client');
  return client.discovery(new URL(server.url), id, secret, authentication?.(secret), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });
}

/** Authorises the app. Returns the URL of the redirect, and the values to check when the code is redeemed. */
async function authorise(config: client.Configuration) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'read write',
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  return { redirected: await redirectOf(url), checks: { pkceCodeVerifier, expectedState } };
}

describe('openid-client', () => {
  it.each<[string, ((secret: string) => client.ClientAuth) | undefined]>([
    ['with its default client authentication', undefined],
    ['with HTTP Basic', client.ClientSecretBasic],
    ['with its secret in the body', client.ClientSecretPost],
    ['as a public client', () => client.None()],
  ])('discovers, authorises, reads, revokes and is then refused, %s', async (_how, authentication) => {
    const config = await configure(authentication);
    const { redirected, checks } = await authorise(config);
    const token = await client.authorizationCodeGrant(config, redirected, checks);
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'read write' });
    const self = new URL('/api/v1/account/info/self', server.url);
    const answer = await client.fetchProtectedResource(config, token.access_token, self, 'GET');
    expect(await answer.json()).toMatchObject({ data: { username: 'ada' } });
    await client.tokenRevocation(config, token.access_token);
    const refused = client.fetchProtectedResource(config, token.access_token, self, 'GET');
    await expect(refused).rejects.toMatchObject({ status: 401 });
  });

  it('accepts only redirects from the issuer that it discovered (RFC 9207)', async () => {
    const config = await configure();
    const { redirected, checks } = await authorise(config);
    expect(redirected.searchParams.get('iss')).toBe(server.url);
    const wrongIssuer = { cause: { message: expect.stringContaining('"iss" (issuer)') } };
    redirected.searchParams.set('iss', 'https://evil.example');
    await expect(client.authorizationCodeGrant(config, redirected, checks)).rejects.toMatchObject(wrongIssuer);
    redirected.searchParams.delete('iss');
    await expect(client.authorizationCodeGrant(config, redirected, checks)).rejects.toMatchObject(wrongIssuer);
  });

  it('gets an app token', async () => {
    const token = await client.clientCredentialsGrant(await configure(), { scope: 'read' });
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'read' });
  });

  it('reports an unknown scope by its name', async () => {
    const granted = client.clientCredentialsGrant(await configure(), { scope: 'profile' });
    await expect(granted).rejects.toMatchObject({
      error: 'invalid_scope',
      error_description: 'The scope profile is unknown; the scopes are read, write and follow.',
    });
  });
});
