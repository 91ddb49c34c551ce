import * as oauth from 'oauth4webapi';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/options.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { type CallbackServer, createCallbackServer } from '../../browser/callback-server.ts';
import { press, type SignIn, signIn, tabTo } from '../../browser/consent.ts';
import { launchBrowser } from '../../browser/launch-browser.ts';
import { trustAuthority } from '../../browser/trust-authority.ts';

/** oauth4webapi refuses plain HTTP unless it is told that this is a test. */
const overHttp = { [oauth.allowInsecureRequests]: true };
const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

interface RegisteredApp {
  client_id: string;
  client_secret: string;
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

async function register(body: Record<string, unknown>, base = server.url): Promise<RegisteredApp> {
  const response = await fetch(`${base}/api/v1/apps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'oauth4webapi', website: 'https://client.example', ...body }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as RegisteredApp;
}

async function discover(base = server.url): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(base);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...overHttp });
  return oauth.processDiscoveryResponse(issuer, response);
}

function authorizationUrl(as: oauth.AuthorizationServer, parameters: Record<string, string>): string {
  const url = new URL(as.authorization_endpoint ?? '');
  for (const [name, value] of Object.entries({ response_type: 'code', ...parameters }))
    url.searchParams.set(name, value);
  return url.href;
}

/** What a person does in a browser of its own, from the address of the consent page on; returns the address at the end. */
async function inBrowser(url: string, act: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const answer = await page.goto(url);
    expect(answer?.status()).toBe(200);
    await act(page);
    return new URL(page.url());
  } finally {
    await context.close();
  }
}

async function approve(page: Page): Promise<void> {
  await signIn(page, account);
  await press(page, 'Approve');
}

interface Flow {
  scopes?: string;
  /** How the client shows who it is. */
  authentication: (app: RegisteredApp) => oauth.ClientAuth;
  act?: (page: Page) => Promise<void>;
  browserOptions?: BrowserContextOptions;
  base?: string;
}

/** Registers, discovers, authorises with PKCE and state, and redeems the code. */
async function authorise({ scopes = 'read write', authentication, act = approve, browserOptions, base }: Flow) {
  const app = await register({ redirect_uris: callback.url, scopes }, base);
  const as = await discover(base);
  const client: oauth.Client = { client_id: app.client_id };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = authorizationUrl(as, {
    client_id: app.client_id,
    redirect_uri: callback.url,
    scope: scopes,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const end = await inBrowser(url, act, browserOptions);
  expect(end.href.startsWith(callback.url)).toBe(true);
  const parameters = oauth.validateAuthResponse(as, client, end, state);
  const redeem = async () => {
    const shown = authentication(app);
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      shown,
      parameters,
      callback.url,
      verifier,
      overHttp,
    );
    return oauth.processAuthorizationCodeResponse(as, client, answer);
  };
  return { app, as, client, redeem, token: await redeem() };
}

async function get(token: string, path: string, base = server.url): Promise<unknown> {
  const url = new URL(path, base);
  const response = await oauth.protectedResourceRequest(token, 'GET', url, undefined, null, overHttp);
  expect(response.status).toBe(200);
  return response.json();
}

const accountPath = '/api/v1/account/info/self';

async function refusal(token: string, base?: string): Promise<oauth.WWWAuthenticateChallengeError> {
  const error: unknown = await get(token, accountPath, base).then(
    () => new Error('was not refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error;
  throw error;
}

async function useAndRevoke(flow: Flow): Promise<void> {
  const { app, as, client, token } = await authorise(flow);
  const base = flow.base ?? server.url;
  expect(token).toMatchObject({ token_type: 'bearer', scope: flow.scopes ?? 'read write' });
  const self = await get(token.access_token, accountPath, base);
  expect(self).toMatchObject({ data: { username: account.username, is_owner: true } });
  const [video] = server.state.data.videos.all();
  expect(await get(token.access_token, `/api/v1/video/${video?.id}`, base)).toMatchObject({ id: video?.id });
  const shown = flow.authentication(app);
  const revoked = await oauth.revocationRequest(as, client, shown, token.access_token, overHttp);
  await oauth.processRevocationResponse(revoked);
  const refused = await refusal(token.access_token, base);
  expect(refused.status).toBe(401);
  expect(refused.cause[0]).toMatchObject({ scheme: 'bearer', parameters: { error: 'invalid_token' } });
}

describe('oauth4webapi registers, authorises in a browser, reads, revokes and is refused', () => {
  it('with HTTP Basic', async () => {
    await useAndRevoke({ authentication: ({ client_secret }) => oauth.ClientSecretBasic(client_secret) });
  });

  it('with its secret in the body', async () => {
    await useAndRevoke({ authentication: ({ client_secret }) => oauth.ClientSecretPost(client_secret) });
  });

  it('as a public client, which has no secret', async () => {
    await useAndRevoke({ authentication: () => oauth.None() });
  });

  it('in a browser without JavaScript', async () => {
    await useAndRevoke({ authentication: () => oauth.None(), browserOptions: { javaScriptEnabled: false } });
  });

  it('for a person who uses the keyboard alone', async () => {
    const act = async (page: Page) => {
      await tabTo(page, '#username');
      await page.keyboard.type(account.username);
      await tabTo(page, '#password');
      await page.keyboard.type(account.password);
      await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
      await tabTo(page, 'button:has-text("Approve")');
      await Promise.all([page.waitForEvent('domcontentloaded'), page.keyboard.press('Enter')]);
    };
    await useAndRevoke({ authentication: () => oauth.None(), act });
  });

  it('over https', async () => {
    await using secure = await createReferenceServer({ tls: true });
    using _trust = trustAuthority(secure.caPem ?? '');
    expect(secure.url).toMatch(/^https:/);
    await useAndRevoke({
      authentication: ({ client_secret }) => oauth.ClientSecretBasic(client_secret),
      browserOptions: { ignoreHTTPSErrors: true },
      base: secure.url,
    });
  });
});

describe('oauth4webapi', () => {
  it('gets a code once: the second use is refused, and ends the token of the first', async () => {
    const { redeem, token } = await authorise({
      authentication: ({ client_secret }) => oauth.ClientSecretPost(client_secret),
    });
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    expect((await refusal(token.access_token)).status).toBe(401);
  });

  it('is told when the person denies', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const state = oauth.generateRandomState();
    const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: callback.url, state });
    const end = await inBrowser(url, async (page) => {
      await signIn(page, account);
      await press(page, 'Deny');
    });
    expect(() => oauth.validateAuthResponse(as, { client_id: app.client_id }, end, state)).toThrow(
      expect.objectContaining({ error: 'access_denied' }),
    );
    expect(end.searchParams.has('code')).toBe(false);
  });

  it('is told what is wrong with its request when the person goes on to it', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const state = oauth.generateRandomState();
    const query = { client_id: app.client_id, redirect_uri: callback.url, state, scope: 'follow' };
    const end = await inBrowser(authorizationUrl(as, query), async (page) => {
      await signIn(page, account);
      expect(new URL(page.url()).origin).toBe(server.url);
      await press(page, 'Return to the app');
    });
    expect(() => oauth.validateAuthResponse(as, { client_id: app.client_id }, end, state)).toThrow(
      expect.objectContaining({ error: 'invalid_scope' }),
    );
    expect(end.origin).toBe(new URL(callback.url).origin);
  });

  it('takes a code off the page when it has nowhere to be sent back to', async () => {
    const app = await register({ redirect_uris: outOfBand });
    const as = await discover();
    const client = { client_id: app.client_id };
    const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: outOfBand });
    let code = '';
    const end = await inBrowser(url, async (page) => {
      await approve(page);
      code = (await page.locator('#code').textContent())?.trim() ?? '';
    });
    expect(end.origin).toBe(server.url);
    const parameters = oauth.validateAuthResponse(as, client, new URLSearchParams({ code }), oauth.expectNoState);
    const shown = oauth.ClientSecretPost(app.client_secret);
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      shown,
      parameters,
      outOfBand,
      oauth.nopkce,
      overHttp,
    );
    const token = await oauth.processAuthorizationCodeResponse(as, client, answer);
    expect(await get(token.access_token, accountPath)).toMatchObject({ data: { username: account.username } });
  });

  it('is sent back to whichever of two registered addresses it names', async () => {
    const second = `${callback.url}/second?keep=this`;
    const app = await register({ redirect_uris: `${callback.url}\n${second}` });
    const as = await discover();
    const client = { client_id: app.client_id };
    for (const redirectUri of [second, callback.url]) {
      const state = oauth.generateRandomState();
      const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: redirectUri, state });
      const end = await inBrowser(url, approve);
      expect(end.pathname).toBe(new URL(redirectUri).pathname);
      expect(end.searchParams.get('keep')).toBe(new URL(redirectUri).searchParams.get('keep'));
      const parameters = oauth.validateAuthResponse(as, client, end, state);
      const shown = oauth.ClientSecretBasic(app.client_secret);
      const answer = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        shown,
        parameters,
        redirectUri,
        oauth.nopkce,
        overHttp,
      );
      expect(await oauth.processAuthorizationCodeResponse(as, client, answer)).toMatchObject({ scope: 'read' });
    }
  });

  it('gets a token of its own, which reads videos and no account', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const client = { client_id: app.client_id };
    const shown = oauth.ClientSecretBasic(app.client_secret);
    const answer = await oauth.clientCredentialsGrantRequest(as, client, shown, {}, overHttp);
    const token = await oauth.processClientCredentialsResponse(as, client, answer);
    const [video] = server.state.data.videos.all();
    expect(await get(token.access_token, `/api/v1/video/${video?.id}`)).toMatchObject({ id: video?.id });
    const url = new URL(accountPath, server.url);
    const refused = await fetch(url, { headers: { authorization: `Bearer ${token.access_token}` } });
    expect(refused.status).toBe(403);
  });

  it('may ask again in the same browser without another sign-in', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: callback.url });
    const end = await inBrowser(url, async (page) => {
      await approve(page);
      await page.goto(url);
      expect(await page.locator('#password').count()).toBe(0);
      await press(page, 'Approve');
    });
    expect(end.searchParams.get('code')).toMatch(/./);
  });
});
