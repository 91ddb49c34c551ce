import { createHash, randomBytes } from 'node:crypto';
import { createOAuthAPIClient, createRestAPIClient } from 'masto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { type CallbackServer, createCallbackServer } from '../../browser/callback-server.ts';
import { press, type SignIn, signIn } from '../../browser/consent.ts';
import { launchBrowser } from '../../browser/launch-browser.ts';

/** masto builds paths from the names that are called at run time; these are the names of the Loops API. */
interface LoopsClient {
  v1: {
    account: { info: { self: { fetch(): Promise<{ data: { username: string; isOwner: boolean } }> } } };
    video: { $select(id: string): { fetch(): Promise<{ id: string; media: { srcUrl: string } }> } };
    config: { fetch(): Promise<{ app: { software: string } }> };
  };
}

let browser: Browser;
let callback: CallbackServer;
let server: ReferenceServer;
const account = seededAccounts()[0] as SignIn;

beforeAll(async () => {
  [browser, callback, server] = await Promise.all([launchBrowser(), createCallbackServer(), createReferenceServer()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([browser?.close(), callback?.[Symbol.asyncDispose](), server?.close()]);
});

function loopsClient(accessToken?: string): LoopsClient {
  const client = createRestAPIClient({ url: server.url, ...(accessToken === undefined ? {} : { accessToken }) });
  return client as unknown as LoopsClient;
}

function register(redirectUris: string | string[], scopes = 'read write follow') {
  const { v1 } = createRestAPIClient({ url: server.url });
  return v1.apps.create({ clientName: 'masto', redirectUris, scopes, website: 'https://client.example' });
}

/** Approves in a browser as the account owner; returns the redirect URL. */
async function approve(parameters: Record<string, string>): Promise<URL> {
  const metadata = await fetch(`${server.url}/.well-known/oauth-authorization-server`);
  const { authorization_endpoint } = (await metadata.json()) as { authorization_endpoint: string };
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${authorization_endpoint}?${new URLSearchParams({ response_type: 'code', ...parameters })}`);
  await signIn(page, account);
  await press(page, 'Approve');
  return new URL(page.url());
}

const refused = (statusCode: number) => expect.objectContaining({ name: 'MastoHttpError', statusCode });

describe('masto', () => {
  it.each([
    ['with PKCE', true],
    ['without PKCE', false],
  ])('registers, authorizes in a browser, reads, revokes and is then refused, %s', async (_how, usesPkce) => {
    const app = await register([callback.url, 'urn:ietf:wg:oauth:2.0:oob']);
    const clientId = app.clientId ?? '';
    const clientSecret = app.clientSecret ?? '';
    expect([clientId, clientSecret]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    const codeVerifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const state = randomBytes(9).toString('base64');
    const redirected = await approve({
      client_id: clientId,
      redirect_uri: callback.url,
      scope: 'read write',
      state,
      ...(usesPkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
    });
    expect(redirected.searchParams.get('state')).toBe(state);

    const oauth = createOAuthAPIClient({ url: server.url });
    const request = {
      grantType: 'authorization_code' as const,
      clientId,
      clientSecret,
      redirectUri: callback.url,
      code: redirected.searchParams.get('code') ?? '',
      // The types of masto lack this parameter, but masto sends it.
      ...(usesPkce ? { codeVerifier } : {}),
    };
    const token = await oauth.token.create(request);
    expect(token).toMatchObject({ tokenType: 'Bearer', scope: 'read write', createdAt: expect.any(Number) });

    const client = loopsClient(token.accessToken);
    const self = await client.v1.account.info.self.fetch();
    expect(self.data).toMatchObject({ username: account.username, isOwner: true });
    const [firstVideo] = server.state.data.videos.all();
    const id = firstVideo?.id ?? '';
    const video = await client.v1.video.$select(id).fetch();
    expect(video).toMatchObject({ id, media: { srcUrl: expect.stringMatching(/^http/) } });

    await oauth.revoke({ clientId, clientSecret, token: token.accessToken });
    await expect(client.v1.account.info.self.fetch()).rejects.toEqual(refused(401));
  });

  it('gets an app token, which the account endpoint refuses with 403', async () => {
    const { clientId, clientSecret } = await register(callback.url);
    const token = await createOAuthAPIClient({ url: server.url }).token.create({
      grantType: 'client_credentials',
      clientId: clientId ?? '',
      clientSecret: clientSecret ?? '',
      redirectUri: callback.url,
      scope: 'read',
    });
    const client = loopsClient(token.accessToken);
    await expect(client.v1.account.info.self.fetch()).rejects.toEqual(refused(403));
    expect((await client.v1.config.fetch()).app.software).toBe('loops');
  });

  it('reads videos and config without a token; unknown videos and the account endpoint are refused', async () => {
    const client = loopsClient();
    expect((await client.v1.config.fetch()).app.software).toBe('loops');
    await expect(client.v1.video.$select('1').fetch()).rejects.toEqual(refused(404));
    await expect(client.v1.account.info.self.fetch()).rejects.toEqual(refused(401));
  });

  it('gets a 422 error for an invalid registration', async () => {
    await expect(register('javascript:alert(1)')).rejects.toEqual(refused(422));
  });
});
