import * as oauth from 'oauth4webapi';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { type CallbackServer, createCallbackServer } from '../../browser/callback-server.ts';
import { press, type SignIn, signIn, tabTo } from '../../browser/consent.ts';
import { launchBrowser } from '../../browser/launch-browser.ts';
import { trustAuthority } from '../../browser/trust-authority.ts';

/** oauth4webapi refuses plain HTTP without this option. */
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

/** Opens the consent page in a new browser context and acts on it; returns the final URL. */
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
  /** The client authentication method. */
  authentication: (app: RegisteredApp) => oauth.ClientAuth;
  act?: (page: Page) => Promise<void>;
  browserOptions?: BrowserContextOptions;
  base?: string;
}

/** Registers, discovers, authorizes with PKCE and state, and redeems the code. */
async function authorize({ scopes = 'read write', authentication, act = approve, browserOptions, base }: Flow) {
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
  const finalUrl = await inBrowser(url, act, browserOptions);
  expect(finalUrl.href.startsWith(callback.url)).toBe(true);
  const parameters = oauth.validateAuthResponse(as, client, finalUrl, state);
  const redeem = async () => {
    const clientAuth = authentication(app);
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      clientAuth,
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
  const { app, as, client, token } = await authorize(flow);
  const base = flow.base ?? server.url;
  expect(token).toMatchObject({ token_type: 'bearer', scope: flow.scopes ?? 'read write' });
  const self = await get(token.access_token, accountPath, base);
  expect(self).toMatchObject({ data: { username: account.username, is_owner: true } });
  const [video] = server.state.data.videos.all();
  expect(await get(token.access_token, `/api/v1/video/${video?.id}`, base)).toMatchObject({ id: video?.id });
  const clientAuth = flow.authentication(app);
  const revoked = await oauth.revocationRequest(as, client, clientAuth, token.access_token, overHttp);
  await oauth.processRevocationResponse(revoked);
  const refused = await refusal(token.access_token, base);
  expect(refused.status).toBe(401);
  expect(refused.cause[0]).toMatchObject({ scheme: 'bearer', parameters: { error: 'invalid_token' } });
}

describe('oauth4webapi registers, authorizes in a browser, reads, revokes and is then refused', () => {
  it('with HTTP Basic', async () => {
    await useAndRevoke({ authentication: ({ client_secret }) => oauth.ClientSecretBasic(client_secret) });
  });

  it('with the secret in the body', async () => {
    await useAndRevoke({ authentication: ({ client_secret }) => oauth.ClientSecretPost(client_secret) });
  });

  it('as a public client without a secret', async () => {
    await useAndRevoke({ authentication: () => oauth.None() });
  });

  it('in a browser without JavaScript', async () => {
    await useAndRevoke({ authentication: () => oauth.None(), browserOptions: { javaScriptEnabled: false } });
  });

  it('with the keyboard alone', async () => {
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
  it('redeems a code once: a second attempt is refused and revokes the first token', async () => {
    const { redeem, token } = await authorize({
      authentication: ({ client_secret }) => oauth.ClientSecretPost(client_secret),
    });
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant', status: 400 });
    expect((await refusal(token.access_token)).status).toBe(401);
  });

  it('receives access_denied when the user denies', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const state = oauth.generateRandomState();
    const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: callback.url, state });
    const finalUrl = await inBrowser(url, async (page) => {
      await signIn(page, account);
      await press(page, 'Deny');
    });
    expect(() => oauth.validateAuthResponse(as, { client_id: app.client_id }, finalUrl, state)).toThrow(
      expect.objectContaining({ error: 'access_denied' }),
    );
    expect(finalUrl.searchParams.has('code')).toBe(false);
  });

  it('receives the error of its request when the user returns to the app', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const state = oauth.generateRandomState();
    const query = { client_id: app.client_id, redirect_uri: callback.url, state, scope: 'follow' };
    const finalUrl = await inBrowser(authorizationUrl(as, query), async (page) => {
      await signIn(page, account);
      expect(new URL(page.url()).origin).toBe(server.url);
      await press(page, 'Return to the app');
    });
    expect(() => oauth.validateAuthResponse(as, { client_id: app.client_id }, finalUrl, state)).toThrow(
      expect.objectContaining({ error: 'invalid_scope' }),
    );
    expect(finalUrl.origin).toBe(new URL(callback.url).origin);
  });

  it('reads the code from the page when it has no redirect URI', async () => {
    const app = await register({ redirect_uris: outOfBand });
    const as = await discover();
    const client = { client_id: app.client_id };
    const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: outOfBand });
    let code = '';
    const finalUrl = await inBrowser(url, async (page) => {
      await approve(page);
      code = (await page.locator('#code').textContent())?.trim() ?? '';
    });
    expect(finalUrl.origin).toBe(server.url);
    // The page shows only the code; the issuer is the server that the user copied it from.
    const copied = new URLSearchParams({ code, iss: as.issuer });
    const parameters = oauth.validateAuthResponse(as, client, copied, oauth.expectNoState);
    const clientAuth = oauth.ClientSecretPost(app.client_secret);
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      clientAuth,
      parameters,
      outOfBand,
      oauth.nopkce,
      overHttp,
    );
    const token = await oauth.processAuthorizationCodeResponse(as, client, answer);
    expect(await get(token.access_token, accountPath)).toMatchObject({ data: { username: account.username } });
  });

  it('is redirected to the registered redirect URI that it requests', async () => {
    const second = `${callback.url}/second?keep=this`;
    const app = await register({ redirect_uris: `${callback.url}\n${second}` });
    const as = await discover();
    const client = { client_id: app.client_id };
    for (const redirectUri of [second, callback.url]) {
      const state = oauth.generateRandomState();
      const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: redirectUri, state });
      const finalUrl = await inBrowser(url, approve);
      expect(finalUrl.pathname).toBe(new URL(redirectUri).pathname);
      expect(finalUrl.searchParams.get('keep')).toBe(new URL(redirectUri).searchParams.get('keep'));
      const parameters = oauth.validateAuthResponse(as, client, finalUrl, state);
      const clientAuth = oauth.ClientSecretBasic(app.client_secret);
      const answer = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        clientAuth,
        parameters,
        redirectUri,
        oauth.nopkce,
        overHttp,
      );
      expect(await oauth.processAuthorizationCodeResponse(as, client, answer)).toMatchObject({ scope: 'read' });
    }
  });

  it('gets an app token, which reads videos but no account', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const client = { client_id: app.client_id };
    const clientAuth = oauth.ClientSecretBasic(app.client_secret);
    const answer = await oauth.clientCredentialsGrantRequest(as, client, clientAuth, {}, overHttp);
    const token = await oauth.processClientCredentialsResponse(as, client, answer);
    const [video] = server.state.data.videos.all();
    expect(await get(token.access_token, `/api/v1/video/${video?.id}`)).toMatchObject({ id: video?.id });
    const url = new URL(accountPath, server.url);
    const refused = await fetch(url, { headers: { authorization: `Bearer ${token.access_token}` } });
    expect(refused.status).toBe(403);
  });

  it('can request access again in the same browser without another sign-in', async () => {
    const app = await register({ redirect_uris: callback.url });
    const as = await discover();
    const url = authorizationUrl(as, { client_id: app.client_id, redirect_uri: callback.url });
    const finalUrl = await inBrowser(url, async (page) => {
      await approve(page);
      await page.goto(url);
      expect(await page.locator('#password').count()).toBe(0);
      await press(page, 'Approve');
    });
    expect(finalUrl.searchParams.get('code')).toMatch(/./);
  });
});
