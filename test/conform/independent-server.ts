import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveHttp } from '../serve-http.ts';

/**
 * A second server of the Loops interface, written from the specification and the RFCs of OAuth alone. It shares no code with the
 * reference server, and differs from it where the specification leaves a choice: other statuses, other pages, no OAuth metadata, and no
 * other port in a redirect URI.
 */
export interface IndependentServer extends AsyncDisposable {
  url: string;
  user: { username: string; password: string };
  video: string;
}

interface App {
  id: string;
  name: string;
  website: string;
  redirectUri: string;
  scopes: string[];
  secret: string;
}

interface Grant {
  app: App;
  redirectUri: string;
  scope: string;
  challenge: string | null;
  isUsed: boolean;
}

type Fields = Record<string, string | undefined>;

const random = () => randomBytes(24).toString('hex');

/** What a correct server may do in more than one way. */
export interface Choices {
  /** Whether the server compares the verifier with the challenge. */
  pkce: boolean;
  /** The texts of the buttons that deny and approve; an empty list: a page that only JavaScript can operate. */
  buttons: readonly string[];
  /** Whether a user who approved an app is not asked again. */
  remembersConsent: boolean;
  /** Whether the token endpoint reads forms. */
  readsForms: boolean;
  /** Whether a revocation is refused with a page. */
  refusesWithPage: boolean;
  /** The limits of uploads in megabytes and in seconds. */
  limit: number;
}

/** What a server may do wrong. */
export type ServerFault =
  | 'accepts a redirect URI that continues the registered one'
  | 'accepts a redirect URI without its query'
  | 'accepts a redirect URI in a folder below'
  | 'exchanges a code for a redirect URI that continues the registered one'
  | 'exchanges a code for a redirect URI without its query'
  | 'exchanges a code for a redirect URI in a folder below'
  | 'cuts a long state'
  | 'refuses a long state'
  | 'gives an app a token without a secret'
  | 'refuses scope=read at the token endpoint'
  | 'owns no video'
  | 'owns every video'
  | 'creates tokens in another time zone'
  | 'exchanges the code of another app'
  | 'lets any app revoke a token';

/** A correct server, apart from `fault`. */
export async function startIndependentServer({
  pkce = true,
  buttons = ['Disallow', 'Allow access'],
  remembersConsent = false,
  readsForms = true,
  refusesWithPage = false,
  limit = 40,
  fault,
}: Partial<Choices> & { fault?: ServerFault } = {}): Promise<IndependentServer> {
  const apps = new Map<string, App>();
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, { app: App; scope: string; isUser: boolean }>();
  const sessions = new Set<string>();
  const user = { username: 'zoe', password: 'a longer & stranger password' };
  const video = '73648291736450';
  const approved = new Set<App>();
  let url = '';

  /** Whether a redirect URI counts as the same as another one. */
  const isSame = (one: string, other: string, verb: 'accepts a' | 'exchanges a code for a'): boolean => {
    const has = (what: string) => fault === `${verb} redirect URI ${what}`;
    const [base = ''] = other.split('?');
    if (has('that continues the registered one')) return one.startsWith(other);
    if (has('without its query')) return one.split('?')[0] === base;
    if (has('in a folder below')) return one === other || one.startsWith(`${base}/`);
    return one === other;
  };

  const server = await serveHttp((request, response) => {
    fieldsOf(request)
      .then((body) => route(request, body, response))
      .catch(() => send(response, 500, { message: 'failed' }));
  });

  function route(request: IncomingMessage, body: Fields, response: ServerResponse): unknown {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any.example');
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const token = bearer === undefined ? undefined : tokens.get(bearer);
    switch (`${request.method} ${pathname}`) {
      case 'GET /api/v1/config':
        return send(response, 200, config(url, limit));
      case 'GET /.well-known/nodeinfo':
        return send(response, 200, {
          links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${url}/ni?v=2` }],
        });
      case 'GET /ni':
        return send(response, 200, nodeinfo());
      case 'GET /api/v1/account/info/self':
        if (token === undefined) return send(response, 401, { error: 'log in' });
        return token.isUser ? send(response, 200, { data: account(url) }) : send(response, 403, { error: 'no user' });
      case `GET /api/v1/video/${video}`:
        return send(response, 200, {
          ...Object(videoDocument(url, video)),
          is_owner:
            (token?.isUser === true && fault !== 'owns no video') ||
            (token !== undefined && fault === 'owns every video'),
          ...(fault === 'owns every video' ? { account: { ...Object(author(url)), id: '6' } } : {}),
        });
      case 'POST /api/v1/apps':
        return register(body, response);
      case 'GET /oauth/authorize':
        return authorize(searchParams, sessionOf(request), response);
      case 'POST /login':
        if (body.login !== user.username || body.secret !== user.password) return page(response, 'Wrong', 403);
        return signIn(body.next ?? '', response);
      case 'POST /decide':
        return decide(body, sessionOf(request), response);
      case 'POST /oauth/token':
        if (!readsForms && request.headers['content-type'] !== 'application/json') return send(response, 415, {});
        return exchange(body, response);
      case 'POST /oauth/revoke':
        return revoke(body, response);
      default:
        return send(response, 404, { error: 'nothing here' });
    }
  }

  function register(body: Fields, response: ServerResponse): unknown {
    const { client_name: name, redirect_uris: redirectUri, website = '', scopes = 'read' } = body;
    if (!name || !redirectUri) return send(response, 400, { error: 'a field is missing' });
    const app: App = { id: random(), name, website, redirectUri, scopes: scopes.split(' '), secret: random() };
    apps.set(app.id, app);
    return send(response, 201, {
      ...{ id: '17', name, website, redirect_uri: redirectUri },
      ...{ client_id: app.id, client_secret: app.secret },
    });
  }

  function authorize(query: URLSearchParams, session: string, response: ServerResponse): unknown {
    const app = apps.get(query.get('client_id') ?? '');
    const redirectUri = query.get('redirect_uri') ?? '';
    if (app === undefined || !isSame(redirectUri, app.redirectUri, 'accepts a'))
      return page(response, 'Unknown app', 400);
    if (fault === 'refuses a long state' && (query.get('state') ?? '').length > 255)
      return page(response, 'Too long', 400);
    const error = authorizationErrorOf(query, app);
    if (error !== null) return redirectBack(response, redirectUri, { error }, query.get('state'));
    const next = escaped(`/oauth/authorize?${query}`);
    if (!sessions.has(session)) {
      return page(
        response,
        `<form action="/login" method="POST"><input name="login"><input type="password" name="secret">
         <input type="hidden" name="next" value="${next}"><input type="submit" value="Log in"></form>`,
      );
    }
    if (remembersConsent && approved.has(app)) return redirectWithCode(query, app, response);
    return page(
      response,
      `<form action="/decide" method="post"><input type="hidden" name="query" value="${escaped(`${query}`)}">
       ${buttons.map((text, index) => `<button name="choice" value="${index}">${text}</button>`).join('')}</form>`,
    );
  }

  function signIn(next: string, response: ServerResponse): unknown {
    const session = random();
    sessions.add(session);
    return response.writeHead(302, { location: next, 'set-cookie': `sid=${session}; HttpOnly; Path=/` }).end();
  }

  function decide(body: Fields, session: string, response: ServerResponse): unknown {
    const query = new URLSearchParams(body.query);
    const app = apps.get(query.get('client_id') ?? '');
    const redirectUri = query.get('redirect_uri') ?? '';
    if (
      !sessions.has(session) ||
      app === undefined ||
      !isSame(redirectUri, app.redirectUri, 'accepts a') ||
      authorizationErrorOf(query, app) !== null
    ) {
      return page(response, 'No', 400);
    }
    if (body.choice !== '1') return redirectBack(response, redirectUri, { error: 'access_denied' }, query.get('state'));
    approved.add(app);
    return redirectWithCode(query, app, response);
  }

  function redirectWithCode(query: URLSearchParams, app: App, response: ServerResponse): unknown {
    const redirectUri = query.get('redirect_uri') ?? '';
    const state = query.get('state');
    const code = random();
    codes.set(code, {
      ...{ app, redirectUri, isUsed: false },
      ...{ scope: query.get('scope') ?? 'read', challenge: pkce ? query.get('code_challenge') : null },
    });
    return redirectBack(
      response,
      redirectUri,
      { code },
      fault === 'cuts a long state' ? (state?.slice(0, 255) ?? null) : state,
    );
  }

  function exchange(body: Fields, response: ServerResponse): unknown {
    const refuse = (error: string, status = 400) => send(response, status, { error });
    const app = apps.get(body.client_id ?? '');
    const isSecretRight = app !== undefined && body.client_secret === app.secret;
    if (app === undefined || (body.client_secret !== undefined && !isSecretRight)) return refuse('invalid_client', 401);
    if (body.grant_type === undefined) return refuse('invalid_request');
    if (body.grant_type === 'client_credentials') {
      const needsSecret = fault !== 'gives an app a token without a secret' || body.client_secret !== undefined;
      if (needsSecret && !isSecretRight) return refuse('invalid_client', 401);
      if (fault === 'refuses scope=read at the token endpoint' && body.scope === 'read') return refuse('invalid_scope');
      const scope = body.scope ?? 'read';
      return scope.split(' ').every((one) => app.scopes.includes(one))
        ? issue(app, scope, false, response)
        : refuse('invalid_scope');
    }
    if (body.grant_type !== 'authorization_code') return refuse('unsupported_grant_type');
    const grant = codes.get(body.code ?? '');
    const verifier = body.code_verifier;
    // If the code was requested with a challenge, the verifier proves that the client may use it; if not, the secret does.
    const isProved =
      grant?.challenge == null
        ? isSecretRight
        : verifier !== undefined && createHash('sha256').update(verifier).digest('base64url') === grant.challenge;
    const isGrantValid =
      (grant?.app === app || fault === 'exchanges the code of another app') &&
      grant !== undefined &&
      !grant.isUsed &&
      isSame(body.redirect_uri ?? '', grant.redirectUri, 'exchanges a code for a') &&
      isProved;
    // Even a refused request uses up the code.
    if (grant !== undefined) grant.isUsed = true;
    return isGrantValid && grant !== undefined ? issue(app, grant.scope, true, response) : refuse('invalid_grant');
  }

  function issue(app: App, scope: string, isUser: boolean, response: ServerResponse): unknown {
    const token = random();
    tokens.set(token, { app, scope, isUser });
    response.setHeader('cache-control', 'no-store');
    const created_at = Math.floor(Date.now() / 1_000) + (fault === 'creates tokens in another time zone' ? 7_200 : 0);
    return send(response, 200, { access_token: token, token_type: 'Bearer', scope, created_at });
  }

  function revoke({ client_id, client_secret, token }: Fields, response: ServerResponse): unknown {
    const app = apps.get(client_id ?? '');
    const isRefused = app === undefined || app.secret !== client_secret;
    if (isRefused && refusesWithPage) return page(response, 'Unknown app', 401);
    if (isRefused) return send(response, 401, { error: 'invalid_client' });
    if (tokens.get(token ?? '')?.app === app || fault === 'lets any app revoke a token') tokens.delete(token ?? '');
    return response.writeHead(200).end();
  }

  url = server.url;
  return { ...server, user, video };
}

function authorizationErrorOf(query: URLSearchParams, app: App): string | null {
  if (query.get('response_type') !== 'code') return 'unsupported_response_type';
  const scopes = (query.get('scope') ?? 'read').split(' ');
  return scopes.every((one) => app.scopes.includes(one)) ? null : 'invalid_scope';
}

function redirectBack(
  response: ServerResponse,
  redirectUri: string,
  answer: Record<string, string>,
  state: string | null,
): unknown {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  if (state !== null) target.searchParams.set('state', state);
  return response.writeHead(302, { location: target.href }).end();
}

function send(response: ServerResponse, status: number, body: unknown): unknown {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function page(response: ServerResponse, content: string, status = 200): unknown {
  return response
    .writeHead(status, { 'content-type': 'text/html' })
    .end(`<!doctype html><title>Second server</title>${content}`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function sessionOf({ headers }: IncomingMessage): string {
  return /(?:^|; )sid=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '';
}

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const body = await text(request);
  if (body === '') return {};
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  return isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}

function config(url: string, limit: number): unknown {
  return {
    app: { name: 'Second', url, description: '', software: 'loops', version: '7.0' },
    media: { max_video_size: limit, max_video_duration: limit, allowed_video_formats: ['mp4', 'mov'] },
    ...{ fyf: false, registration: false, registration_mode: 'closed', federation: true },
    ...{ pushNotifications: false, starterKits: true, atomFeeds: false, hasGifProvider: false },
    account: { max_bio_length: 80 },
  };
}

function nodeinfo(): unknown {
  return {
    ...{ version: '2.0', software: { name: 'loops', version: '7.0' }, protocols: ['activitypub'] },
    ...{ services: { inbound: [], outbound: [] }, openRegistrations: false, metadata: {} },
    usage: { users: { total: 1 }, localPosts: 1 },
  };
}

function account(url: string): unknown {
  return {
    ...{ id: '5', name: 'Zoë', avatar: `${url}/a.png`, username: 'zoe', is_owner: true, local: true, bio: 'Hi' },
    ...{ post_count: 1, follower_count: 0, following_count: 0, url: `${url}/@zoe`, remote_url: null },
    ...{ is_blocking: null, manually_approves_followers: false, has_playlists: false, is_admin: false },
    links: [{ url: 'zoe.example', link: 'https://zoe.example/', is_verified: false }],
    ...{ created_at: '2025-01-02T03:04:05Z', likes_count: 0 },
  };
}

function author(url: string): unknown {
  return { id: '5', name: 'Zoë', username: 'zoe', avatar: `${url}/a.png` };
}

function videoDocument(url: string, id: string): unknown {
  return {
    ...{ id, account: author(url), caption: 'One' },
    ...{ url: `${url}/v/aB-3`, shortcode: 'aB-3', is_owner: false, is_sensitive: false, is_local: true, pinned: false },
    media: {
      ...{ thumbnail: `${url}/t.jpg`, src_url: `${url}/v.mp4`, hls_url: null, alt_text: null },
      ...{ duration: 9, width: 720, height: 1280 },
    },
    ...{ likes: 0, shares: 0, comments: 0, bookmarks: 0, has_liked: false, has_bookmarked: false, is_edited: false },
    ...{ lang: null, tags: [], mentions: [], meta: { contains_ai: false, contains_ad: false } },
    permissions: { can_comment: true, can_download: true, can_duet: true, can_stitch: true, can_embed: true },
    audio: { has_audio: false, id: '', count: 0, key: '', sound_id: '' },
    created_at: '2025-02-03T04:05:06.789+02:00',
  };
}
