import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Target } from '../../../src/conform/client/play.ts';

/** The ways in which the client can break the specification. */
export type ClientFault =
  | 'any Accept'
  | 'forms'
  | 'NodeInfo first'
  | 'no identification'
  | 'lower-case comparison'
  | 'comparison by prefix'
  | 'comparison after trimming'
  | 'first link of NodeInfo'
  | 'constructed NodeInfo address'
  | 'href without its query'
  | 'NodeInfo without discovery'
  | 'NodeInfo without discovery if there is no configuration'
  | 'href in lower case'
  | 'href with a slash'
  | 'accepts a missing configuration'
  | 'accepts a configuration without software'
  | 'comparison by prefix in NodeInfo'
  | 'NodeInfo decides'
  | 'either of the two'
  | 'account without read'
  | 'shortcode as the id of a video'
  | 'needs the scope of the token'
  | 'needs a bare video'
  | 'needs an author'
  | 'plays a missing source'
  | 'needs a source'
  | 'needs hasGifProvider'
  | 'needs every field'
  | 'redirect URIs as a list'
  | 'registers by a form, as the official app does'
  | 'scopes as a list'
  | 'a body that is not JSON'
  | 'registers twice'
  | 'authorizes before it registers'
  | 'response type token'
  | 'made-up client_id'
  | 'unregistered redirect URI'
  | 'redirect to localhost'
  | 'scope beyond the app'
  | 'no state'
  | 'constant state'
  | 'unchecked state'
  | 'unchecked state if it is missing'
  | 'unchecked iss'
  | 'token after a denial'
  | 'password grant'
  | 'no credentials'
  | 'credentials in the header'
  | 'other redirect URI in the token request'
  | 'made-up code'
  | 'code sent again'
  | 'token in the URL too'
  | 'token in the URL only'
  | 'revoked token sent again'
  | 'secret in the authorization URL'
  | 'secret in a header'
  | 'credentials in the header of a video'
  | 'no verifier'
  | 'short verifier'
  | 'other verifier'
  | 'constant verifier'
  | 'no challenge method'
  | 'revocation without the token'
  | 'ignores Retry-After'
  | 'impatient';

const callback = 'http://127.0.0.1:4000/back';
const constantState = 'always';
const constantVerifier = 'v'.repeat(43);

interface VideoDocument {
  shortcode: string;
  account: object;
  media: { thumbnail: string; src_url: string | null };
}

interface NodeInfoDocument {
  software?: { name: string };
}

interface AppCredentials {
  client_id: string;
  client_secret: string;
}

/** Thrown when the client takes the server for a Loops server, but cannot connect to it. */
class GivesUp extends Error {}

/**
 * Connects to the server, reads the account and a video, and signs out. Follows the specification except for `faults`. Returns whether
 * the client takes the server for a Loops server.
 */
export async function modelClient({ url, video }: Target, faults: readonly ClientFault[] = []): Promise<boolean> {
  const has = (fault: ClientFault) => faults.includes(fault);
  const repeatedRequests: Promise<Response>[] = [];
  const scope = has('account without read') ? 'write' : 'read';
  const redirectUri = has('redirect to localhost') ? 'http://localhost:4000/back' : callback;

  const send = async (method: 'GET' | 'POST', target: string, body?: object, headers: Record<string, string> = {}) => {
    const requestUrl = target.startsWith('http') ? target : `${url}${target}`;
    // A revocation is a form (RFC 7009).
    const isForm = has('forms') || target === '/oauth/revoke';
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const text = isForm ? new URLSearchParams(Object.entries(body ?? {})).toString() : JSON.stringify(body);
    const request = () =>
      fetch(requestUrl, {
        method,
        redirect: 'manual',
        headers: {
          accept: has('any Accept') ? '*/*' : 'application/json',
          ...(body === undefined ? {} : { 'content-type': type }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: text }),
      });
    const first = request();
    if (has('impatient')) {
      const answerWithinSecond = await Promise.race([first, wait(1_000)]);
      if (answerWithinSecond === undefined) repeatedRequests.push(request());
    }
    const answer = await first;
    if (answer.status !== 429) return answer;
    const pauseSeconds = Number(answer.headers.get('retry-after'));
    await wait(has('ignores Retry-After') ? 100 : pauseSeconds * 1_000 + 20);
    return request();
  };
  const json = async <T>(answer: Response) => (await answer.json()) as T;

  const isLoops = (software: unknown, source: 'configuration' | 'NodeInfo'): boolean => {
    const name = String(software);
    if (source === 'NodeInfo' && has('comparison by prefix in NodeInfo')) return name.startsWith('loops');
    if (has('lower-case comparison')) return name.toLowerCase() === 'loops';
    if (has('comparison by prefix')) return name.startsWith('loops');
    return (has('comparison after trimming') ? name.trim() : name) === 'loops';
  };
  /** Whether the configuration names Loops; null when the server has none. */
  const byConfig = async (): Promise<boolean | null> => {
    const answer = await send('GET', '/api/v1/config');
    if (answer.status !== 200) return has('accepts a missing configuration') ? true : null;
    const config = await json<{ app?: { software: string }; hasGifProvider?: boolean; account?: object }>(answer);
    if (has('needs hasGifProvider') && config.hasGifProvider === undefined) return false;
    if (has('needs every field') && config.account === undefined) return false;
    if (has('accepts a configuration without software') && config.app === undefined) return true;
    return isLoops(config.app?.software, 'configuration');
  };
  const byNodeInfo = async (): Promise<boolean> => {
    if (has('NodeInfo without discovery') || has('NodeInfo without discovery if there is no configuration'))
      return isLoops((await json<NodeInfoDocument>(await send('GET', '/nodeinfo/2.0'))).software?.name, 'NodeInfo');
    const discovery = await send('GET', '/.well-known/nodeinfo');
    const { links } = await json<{ links?: { rel: string; href: string }[] }>(discovery);
    const link = has('first link of NodeInfo') ? links?.[0] : links?.find(({ rel }) => rel.endsWith('/schema/2.0'));
    if (link === undefined) return false;
    const addresses: Partial<Record<ClientFault, string>> = {
      'constructed NodeInfo address': '/nodeinfo/2.0',
      'href without its query': link.href.split('?', 1)[0],
      'href in lower case': link.href.toLowerCase(),
      'href with a slash': `${link.href}/`,
    };
    const [altered] = faults.flatMap((fault) => addresses[fault] ?? []);
    const answer = await send('GET', altered ?? link.href);
    // With one of these faults, the client accepts the server without a document.
    if (answer.status !== 200) return altered !== undefined;
    const { software } = await json<NodeInfoDocument>(answer);
    return isLoops(software?.name, 'NodeInfo');
  };

  const register = async () => {
    if (has('registers by a form, as the official app does')) {
      const body = new FormData();
      body.append('client_name', 'Model');
      body.append('redirect_uris[]', redirectUri);
      body.append('scopes', scope);
      return (await fetch(`${url}/api/v1/apps`, { method: 'POST', body })).json() as Promise<AppCredentials>;
    }
    const answer = await send('POST', '/api/v1/apps', {
      client_name: 'Model',
      redirect_uris: has('redirect URIs as a list') ? [callback] : redirectUri,
      scopes: has('scopes as a list') ? ['read'] : scope,
      website: 'https://client.example',
    });
    return json<AppCredentials>(answer);
  };

  /** Sends the user to the server and returns a token. */
  const authorize = async (app: AppCredentials): Promise<string> => {
    // RFC 7636 requires at least 43 characters, the length of 32 bytes in Base64.
    const randomVerifier = randomBytes(has('short verifier') ? 31 : 32).toString('base64url');
    const verifier = has('constant verifier') ? constantVerifier : randomVerifier;
    const state = has('constant state') ? constantState : randomBytes(16).toString('base64url');
    const query = new URLSearchParams({
      response_type: has('response type token') ? 'token' : 'code',
      client_id: has('made-up client_id') ? 'made-up' : app.client_id,
      redirect_uri: has('unregistered redirect URI') ? 'https://elsewhere.example/' : redirectUri,
      scope: has('scope beyond the app') ? 'read write' : scope,
      ...(has('no state') ? {} : { state }),
      ...(has('secret in the authorization URL') ? { client_secret: app.client_secret } : {}),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      ...(has('no challenge method') ? {} : { code_challenge_method: 'S256' }),
    });
    const { headers } = await send('GET', `/oauth/authorize?${query}`);
    const location = headers.get('location');
    if (location === null) throw new GivesUp();
    const returned = new URL(location).searchParams;
    const code = has('made-up code') ? 'made-up' : returned.get('code');
    if (code === null && !has('token after a denial')) throw new GivesUp();
    const trustsMissingState = has('unchecked state if it is missing') && !returned.has('state');
    const checksState = !has('unchecked state') && !has('no state') && !trustsMissingState;
    if (checksState && returned.get('state') !== state) throw new GivesUp();
    if (!has('unchecked iss') && returned.get('iss') !== url) throw new GivesUp();
    return redeem(app, code ?? 'none', verifier);
  };
  const redeem = async (app: AppCredentials, code: string, verifier: string) => {
    const { client_id, client_secret } = app;
    const inHeader = has('credentials in the header');
    const body = {
      grant_type: has('password grant') ? 'password' : 'authorization_code',
      ...(inHeader || has('no credentials') ? {} : { client_id, client_secret }),
      redirect_uri: has('other redirect URI in the token request') ? 'https://elsewhere.example/' : redirectUri,
      code,
      ...(has('no verifier') ? {} : { code_verifier: has('other verifier') ? constantVerifier : verifier }),
    };
    const request = () => send('POST', '/oauth/token', body, inHeader ? basicAuthorization(app) : {});
    let answer = await request();
    if (answer.status === 400 && has('code sent again')) answer = await request();
    const { access_token, scope: granted } = await json<{ access_token?: string; scope?: string }>(answer);
    if (access_token === undefined || (has('needs the scope of the token') && granted === undefined))
      throw new GivesUp();
    return access_token;
  };
  const readAccount = (token: string, app: AppCredentials) => {
    const inUrl = has('token in the URL too') || has('token in the URL only');
    return send('GET', `/api/v1/account/info/self${inUrl ? `?access_token=${token}` : ''}`, undefined, {
      ...(has('token in the URL only') ? {} : { authorization: `Bearer ${token}` }),
      ...(has('secret in a header') ? { 'x-client-secret': app.client_secret } : {}),
    });
  };

  /** Reads a video, and plays it. */
  const showVideo = async (id: string, headers: Record<string, string>) => {
    const shown = await send('GET', `/api/v1/video/${id}`, undefined, headers);
    if (!shown.ok) return;
    const body = await json<{ data?: VideoDocument } & VideoDocument>(shown);
    const document = has('needs a bare video') ? body : (body.data ?? body);
    if (document.media === undefined || (has('needs an author') && !('username' in document.account)))
      throw new GivesUp();
    await send('GET', document.media.thumbnail);
    const { src_url: source } = document.media;
    if (source === null && has('needs a source')) throw new GivesUp();
    if (source !== null || has('plays a missing source')) await send('GET', source ?? '/null');
    if (has('shortcode as the id of a video')) await send('GET', `/api/v1/video/${document.shortcode}`);
  };

  try {
    if (!has('no identification')) {
      const fromConfig = has('NodeInfo first') ? null : await byConfig();
      const asksNodeInfo =
        fromConfig === null || has('NodeInfo decides') || has('NodeInfo without discovery') || has('either of the two');
      const fromNodeInfo = asksNodeInfo && (await byNodeInfo());
      const isAccepted = has('either of the two')
        ? fromConfig === true || fromNodeInfo
        : asksNodeInfo
          ? fromNodeInfo
          : fromConfig;
      if (!isAccepted) return false;
    }
    if (has('authorizes before it registers'))
      await authorize({ client_id: 'none', client_secret: '' }).catch(() => {});
    const app = await register();
    if (has('registers twice')) await register();
    // Tries once more, because the first code may have expired.
    let token = await authorize(app).catch(() => authorize(app));
    const account = await readAccount(token, app);
    if (account.status === 401) {
      if (has('revoked token sent again')) await readAccount(token, app);
      token = await authorize(app);
      await readAccount(token, app);
    }
    const videoHeaders = has('credentials in the header of a video') ? basicAuthorization(app) : {};
    await showVideo(video, videoHeaders);
    if (has('a body that is not JSON')) {
      const headers = { 'content-type': 'application/json' };
      await fetch(`${url}/api/v1/apps`, { method: 'POST', headers, body: 'client_name=Model' });
    }
    const body = has('revocation without the token') ? {} : { token };
    await send('POST', '/oauth/revoke', { ...body, client_id: app.client_id, client_secret: app.client_secret });
    return true;
  } catch (error) {
    if (error instanceof GivesUp) return true;
    throw error;
  } finally {
    await Promise.all(repeatedRequests);
  }
}

function basicAuthorization({ client_id, client_secret }: AppCredentials): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` };
}
