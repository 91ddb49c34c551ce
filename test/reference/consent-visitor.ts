import { seededAccounts } from '../../src/reference/seed/seeded.ts';
import type { ReferenceServer } from '../../src/reference/server.ts';

export const callback = 'https://client.example/callback';
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

export interface RegisteredApp {
  id: string;
  name: string;
  website: string;
  redirect_uri: string;
  client_id: string;
  client_secret: string;
}

/** A complete response. Redirects are not followed. */
export interface PageAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; empty if it is not JSON. */
  json: Record<string, unknown>;
}

async function answerOf(response: Response): Promise<PageAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
}

export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<PageAnswer> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return answerOf(await fetch(url, { ...request, body: typeof body === 'string' ? body : JSON.stringify(body) }));
}

export async function postForm(
  url: string,
  body: Record<string, string> | string[][] | string,
  headers: Record<string, string> = {},
): Promise<PageAnswer> {
  return answerOf(await fetch(url, { method: 'POST', headers, body: formParameters(body), redirect: 'manual' }));
}

function formParameters(body: Record<string, string> | string[][] | string): URLSearchParams {
  if (typeof body === 'string') return new URLSearchParams(body);
  const pairs = Array.isArray(body) ? body : Object.entries(body);
  return new URLSearchParams(pairs.map(([name = '', value = '']): [string, string] => [name, value]));
}

export async function register(server: ReferenceServer, changes: Record<string, unknown> = {}): Promise<RegisteredApp> {
  const body = { client_name: 'Test Client', redirect_uris: callback, ...changes };
  const { status, json, text } = await postJson(`${server.url}/api/v1/apps`, body);
  if (status !== 200) throw new Error(`The app was not registered: ${status} ${text}`);
  return json as unknown as RegisteredApp;
}

/** The query of an authorization request; undefined omits a parameter. */
export function authorizeQuery(app: RegisteredApp, changes: Record<string, string | undefined> = {}): string {
  const parameters = { response_type: 'code', client_id: app.client_id, redirect_uri: callback, ...changes };
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
}

/** Creates a visitor of the consent pages that stores cookies and sends the forms of the pages, like a browser. */
export function createConsentVisitor(server: ReferenceServer) {
  const cookies = new Map<string, string>();
  const storeCookies = ({ headers }: PageAnswer): void => {
    for (const line of headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
  };
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  const open = async (query: string, headers: Record<string, string> = {}): Promise<PageAnswer> => {
    const url = `${server.url}/oauth/authorize?${query}`;
    const page = await answerOf(await fetch(url, { headers: { cookie: cookie(), ...headers }, redirect: 'manual' }));
    storeCookies(page);
    return page;
  };

  const submit = async (
    page: PageAnswer,
    action: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> => {
    const { target, token } = formOf(page);
    const body = { token, action, ...fields };
    const answer = await postForm(server.url + target, body, { cookie: cookie(), ...headers });
    storeCookies(answer);
    return answer;
  };

  const signIn = async (query: string, account = seededAccounts()[0]): Promise<PageAnswer> => {
    if (account === undefined) throw new Error('The seed gives no account.');
    const { status, text } = await submit(await open(query), 'sign-in', account);
    if (status !== 303) throw new Error(`The sign-in failed: ${status} ${text}`);
    return open(query);
  };

  /** Opens the page of a request, and signs in if the page asks for it. */
  const openSignedIn = async (query: string): Promise<PageAnswer> => {
    const page = await open(query);
    const asksForSignIn = page.text.includes('id="password"');
    return asksForSignIn ? signIn(query) : page;
  };

  /** Signs in if necessary and approves. Returns the redirect, or the page with the code. */
  const approve = async (query: string): Promise<PageAnswer> => submit(await openSignedIn(query), 'approve');

  /** Signs in if necessary and returns to the app from the error page of a faulty request. Returns the redirect. */
  const returnToApp = async (query: string): Promise<PageAnswer> => submit(await openSignedIn(query), 'return');

  const codeFor = async (query: string): Promise<string> => {
    const { headers, text } = await approve(query);
    const shownCode = /<output id="code"[^>]*>([^<]*)</.exec(text)?.[1];
    // Without a redirect, `none:` stands for a URL without a code.
    const code = shownCode ?? new URL(headers.get('location') ?? 'none:').searchParams.get('code');
    if (code === null) throw new Error(`No code was given: ${headers.get('location')} ${text}`);
    return code;
  };

  return { open, submit, signIn, approve, returnToApp, codeFor, cookie, cookies };
}

/** The form of a page: its target and its hidden token. */
export function formOf({ text }: PageAnswer): { target: string; token: string } {
  const target = /<form method="post" action="([^"]*)"/.exec(text)?.[1];
  const token = /name="token" value="([^"]*)"/.exec(text)?.[1];
  if (target === undefined || token === undefined) throw new Error(`There is no form: ${text}`);
  return { target: unescaped(target), token };
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/** Signs in and approves on the consent pages, and returns the user's token. */
export async function obtainUserToken(server: ReferenceServer, app: RegisteredApp, scope = 'read'): Promise<string> {
  const code = await createConsentVisitor(server).codeFor(authorizeQuery(app, { scope }));
  const { json } = await postJson(`${server.url}/oauth/token`, exchangeOf(app, code));
  return String(json.access_token);
}

/** The body of a token request that exchanges a code, authenticated with the secret of the app. */
export function exchangeOf(app: RegisteredApp, code: string, changes: Record<string, unknown> = {}) {
  const { client_id, client_secret } = app;
  return { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: callback, code, ...changes };
}
