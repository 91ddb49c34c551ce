import {
  isRedirectUri,
  OTHER_PORT_URI,
  OTHER_REDIRECT_URI,
  REDIRECT_URI,
} from '../../src/conform/probes/redirect-uri.ts';
import { INVENTED } from '../../src/conform/probes/requests.ts';
import type { Mutation } from './mutations.ts';
import type { Received, Rewrite } from './rewriting-proxy.ts';

type Match = (request: Received) => boolean;
// biome-ignore lint/suspicious/noExplicitAny: mutations reach into any document.
type Json = Record<string, any>;

const at =
  (path: string): Match =>
  (request) =>
    request.path === path;
// The requests to each endpoint. `apps` matches only complete registrations.
const config = at('/api/v1/config');
const discovery = at('/.well-known/nodeinfo');
const nodeinfo = at('/nodeinfo/2.0');
const account = at('/api/v1/account/info/self');
const metadata = at('/.well-known/oauth-authorization-server');
const unknownVideo = at(`/api/v1/video/${INVENTED.video}`);
const ownVideo: Match = (request) => video(request) && request.bearer !== null;
const video: Match = (request) => request.path.startsWith('/api/v1/video/') && !unknownVideo(request);
const apps: Match = ({ path, fields }) =>
  path === '/api/v1/apps' && 'client_name' in fields && 'redirect_uris' in fields;
const tokenRequest = at('/oauth/token');
const tokenInForm: Match = (request) =>
  tokenRequest(request) && request.contentType.startsWith('application/x-www-form-urlencoded');
const revocation = at('/oauth/revoke');
const authorization = at('/oauth/authorize');

/** Requests with a mistake. Each function matches the request of the probe of the same name. */
const wrong = {
  // Requests for authorization.
  authorizeWithoutClient: (request) => authorization(request) && !request.query.has('client_id'),
  authorizeUnknownClient: (request) => authorization(request) && isInvented(request.query.get('client_id')),
  authorizeOtherRedirect: (request) =>
    authorization(request) && request.query.get('redirect_uri') === OTHER_REDIRECT_URI,
  authorizeWithoutRedirect: (request) =>
    authorization(request) && request.query.has('client_id') && !request.query.has('redirect_uri'),
  authorizeWithoutResponseType: (request) =>
    authorization(request) && request.query.has('client_id') && !request.query.has('response_type'),
  authorizeResponseType: (request) => authorization(request) && request.query.get('response_type') === 'token',
  authorizeScopeBeyond: (request) => authorization(request) && request.query.get('scope') === 'read write',
  // Requests for a token.
  tokenEmpty: (request) => tokenRequest(request) && Object.keys(request.fields).length === 0,
  tokenUnknownClient: (request) => tokenRequest(request) && isInvented(request.fields.client_id),
  tokenWithoutGrant: (request) =>
    tokenRequest(request) && 'client_id' in request.fields && !('grant_type' in request.fields),
  tokenUnknownGrant: (request) => tokenRequest(request) && isInvented(request.fields.grant_type),
  tokenWrongSecret: (request) =>
    tokenRequest(request) &&
    !isInvented(request.fields.client_id) &&
    request.fields.grant_type === 'client_credentials' &&
    isInvented(request.fields.client_secret),
  tokenWithoutClient: (request) =>
    tokenRequest(request) && Object.keys(request.fields).length > 0 && !('client_id' in request.fields),
  tokenCodeWrongSecret: (request) => isCodeGrant(request) && isInvented(request.fields.client_secret),
  tokenCodeWithoutSecret: (request) =>
    isCodeGrant(request) && !('client_secret' in request.fields) && !('code_verifier' in request.fields),
  tokenCodeWithoutRedirect: (request) => isCodeGrant(request) && !('redirect_uri' in request.fields),
  tokenWithoutCode: (request) => isCodeGrant(request) && !('code' in request.fields),
  tokenUnknownCode: (request) => isCodeGrant(request) && isInvented(request.fields.code),
  tokenScopeBeyond: (request) => tokenRequest(request) && request.fields.scope === 'write',
  tokenOtherRedirect: (request) => isCodeGrant(request) && request.fields.redirect_uri === OTHER_REDIRECT_URI,
  tokenWrongVerifier: (request) => isCodeGrant(request) && isInvented(request.fields.code_verifier),
  tokenWithoutSecret: (request) =>
    tokenRequest(request) && request.fields.grant_type === 'client_credentials' && !('client_secret' in request.fields),
  // Registrations of an app.
  appsEmpty: (request) => request.path === '/api/v1/apps' && Object.keys(request.fields).length === 0,
  appsWithoutName: (request) =>
    request.path === '/api/v1/apps' && 'redirect_uris' in request.fields && !('client_name' in request.fields),
  appsWithoutRedirect: (request) =>
    request.path === '/api/v1/apps' && 'client_name' in request.fields && !('redirect_uris' in request.fields),
  // Requests for the account of a token.
  accountWithoutToken: (request) => account(request) && request.bearer === null,
  accountUnknownToken: (request) => account(request) && isInvented(request.bearer),
  // Revocations.
  revokeEmpty: (request) => revocation(request) && Object.keys(request.fields).length === 0,
  revokeUnknownToken: (request) => revocation(request) && isInvented(request.fields.token),
  revokeWrongSecret: (request) => revocation(request) && isInvented(request.fields.client_secret),
} satisfies Record<string, Match>;

/** Whether a run made the value up: such values begin with `conform-`. */
function isInvented(value: string | null | undefined): boolean {
  return value?.startsWith('conform-') === true;
}

function isCodeGrant(request: Received): boolean {
  return tokenRequest(request) && request.fields.grant_type === 'authorization_code';
}

const changeBody =
  (change: (json: Json) => unknown): Rewrite =>
  (answer) => {
    const json = JSON.parse(answer.text);
    answer.text = JSON.stringify(change(json) ?? json);
  };
// These set fields of the document, of its object `data`, and of its object `part`.
const set = (values: Json): Rewrite => changeBody((json) => void Object.assign(json, values));
const setInData = (values: Json): Rewrite => changeBody((json) => void Object.assign(json.data, values));
const setInPart = (part: string, values: Json): Rewrite => changeBody((json) => void Object.assign(json[part], values));
const status =
  (code: number): Rewrite =>
  (answer) => {
    answer.status = code;
  };
/** Sets a header; null deletes it. */
const header =
  (name: string, value: string | null): Rewrite =>
  (answer) => {
    if (value === null) delete answer.headers[name];
    else answer.headers[name] = value;
  };
const contentType = (value: string) => header('content-type', value);
/** Replaces the answer. */
const reply =
  (code: number, json: unknown, mediaType = 'application/json'): Rewrite =>
  (answer) => {
    answer.status = code;
    answer.headers['content-type'] = mediaType;
    delete answer.headers.location;
    answer.text = typeof json === 'string' ? json : JSON.stringify(json);
  };
const page = reply(200, '<!doctype html><title>App</title>', 'text/html');
const giveToken = reply(200, { access_token: 'x'.repeat(40), token_type: 'Bearer', scope: 'read', created_at: 1 });
const error = (name: string, code = 400) => reply(code, { error: name });

const byteOrderMark: Rewrite = (answer) => {
  answer.text = `\uFEFF${answer.text}`;
};
const changeUrl = (change: (url: string) => string): Rewrite =>
  changeBody((json) => {
    json.app.url = change(json.app.url);
  });

/** Turns the answer into a redirect. */
const redirectTo =
  (target: string): Rewrite =>
  (answer) => {
    answer.status = 302;
    answer.headers.location = target;
    answer.text = '';
  };
/** Redirects to the app, as at the end of an authorization. */
const redirectWithCode = redirectTo(`${REDIRECT_URI}&code=x`);
const redirectWithError = (name: string) => redirectTo(`${REDIRECT_URI}&error=${name}`);
/** Changes the redirect to the app. */
const changeRedirect =
  (change: (url: URL) => void): Rewrite =>
  (answer) => {
    const url = URL.parse(answer.headers.location ?? '');
    if (url === null || !isRedirectUri(url)) return;
    change(url);
    answer.headers.location = url.href;
  };
/** Sets a parameter of the redirect to the app; null deletes it. */
const parameter = (name: string, value: string | null) =>
  changeRedirect((url) => (value === null ? url.searchParams.delete(name) : url.searchParams.set(name, value)));

const isApproved: Match = (request) =>
  authorization(request) && request.query.get('state')?.includes('approve') === true;
const isDenied: Match = (request) => authorization(request) && request.query.get('state')?.includes('deny') === true;
const isStateless: Match = (request) =>
  authorization(request) && !request.query.has('state') && !request.query.has('code_challenge');
/** The redirect URI has another port than the registered one. On a loopback address, any port is allowed (RFC 8252 section 7.3). */
const otherPort: Match = (request) => authorization(request) && request.query.get('redirect_uri') === OTHER_PORT_URI;
const registeredScope: Match = (request) => authorization(request) && request.query.get('scope') === 'read';
const authorizationOrToken: Match = (request) => authorization(request) || tokenRequest(request);
const validToken: Match = (request) =>
  tokenRequest(request) && !Object.values(wrong).some((isWrong) => isWrong(request));
const appToken: Match = (request) => validToken(request) && request.fields.grant_type === 'client_credentials';
const appScopeRead: Match = (request) => appToken(request) && request.fields.scope === 'read';
const codeToken: Match = (request) => validToken(request) && isCodeGrant(request);
const publicToken: Match = (request) => codeToken(request) && !('client_secret' in request.fields);

/** For each clause: the requests whose answers show it, and rewrites of these answers. Each rewrite alone breaks the clause. */
const RULES: readonly [clause: string, match: Match, ...rewrites: (readonly [what: string, rewrite: Rewrite])[]][] = [
  ['app.name.given', apps, ['is another', set({ name: 'Other' })]],
  ['app.website.given', apps, ['is empty', set({ website: '' })]],
  ['app.redirect_uri.given', apps, ['is another', set({ redirect_uri: 'https://other.example/' })]],
  [
    'app.credentials.non-empty',
    apps,
    ['empty id', set({ id: '' })],
    [
      'secret as client id',
      changeBody((json) => {
        json.client_secret = json.client_id;
      }),
    ],
  ],
  [
    'token.token_type.bearer',
    appToken,
    ['in lower case', set({ token_type: 'bearer' })],
    ['mac', set({ token_type: 'mac' })],
  ],
  ['token.scope.format', appToken, ['empty', set({ scope: '' })], ['two spaces', set({ scope: 'read  write' })]],
  [
    'token.created_at.seconds',
    appToken,
    [
      'in milliseconds',
      changeBody((json) => {
        json.created_at *= 1_000;
      }),
    ],
    ['0', set({ created_at: 0 })],
  ],
  [
    'token.created_at.clock',
    appToken,
    [
      'an hour off',
      changeBody((json) => {
        json.created_at -= 3_600;
      }),
    ],
  ],
  [
    'token.access_token.characters',
    appToken,
    ['with a space', set({ access_token: 'a b' })],
    ['empty', set({ access_token: '' })],
  ],
  ['account.wrapped', account, ['bare', changeBody((json) => json.data)], ['another key', set({ meta: {} })]],
  ['account.is_owner.self', account, ['false', setInData({ is_owner: false })]],
  ['account.local.self', account, ['false', setInData({ local: false })]],
  ['account.remote_url.local', account, ['a URL', setInData({ remote_url: 'https://other.example/@ada' })]],
  ['account.is_blocking.self', account, ['false', setInData({ is_blocking: false })]],
  [
    'account.created_at.iso-8601',
    account,
    ['without an offset', setInData({ created_at: '2025-01-02T03:04:05' })],
    ['with a space', setInData({ created_at: '2025-01-02 03:04:05Z' })],
  ],
  ['account.avatar.url', account, ['a path', setInData({ avatar: '/media/a.svg' })]],
  ['account.url.on-server', account, ['elsewhere', setInData({ url: 'https://other.example/@ada' })]],
  ['account.bio.length', account, ['too long', setInData({ bio: 'x'.repeat(5_000) })]],
  ['account.counts', account, ['negative', setInData({ post_count: -1 })]],
  ['video.bare', video, ['wrapped', changeBody((json) => ({ data: json }))]],
  ['video.id.decimal', video, ['letters', set({ id: 'aB3' })]],
  ['video.url.web', video, ['a path', set({ url: '/v/x' })], ['a file', setInPart('media', { src_url: 'file:///x' })]],
  [
    'video.shortcode.in-url',
    video,
    ['another', set({ shortcode: 'other' })],
    ['before a query', changeBody(({ url, ...json }) => ({ ...json, url: `${url}?a=1` }))],
  ],
  ['video.guest', video, ['liked', set({ has_liked: true })], ['owned', set({ is_owner: true })]],
  [
    'video.is_owner.token',
    ownVideo,
    [
      'the opposite',
      changeBody((json) => {
        json.is_owner = !json.is_owner;
      }),
    ],
  ],
  ['video.created_at.iso-8601', video, ['a date', set({ created_at: '2025-01-02' })]],
  [
    'video.numbers',
    video,
    ['negative likes', set({ likes: -1 })],
    ['negative width', setInPart('media', { width: -1 })],
  ],
  [
    'config.app.url.base',
    config,
    ['another host', setInPart('app', { url: 'https://other.example' })],
    ['localhost', setInPart('app', { url: 'https://localhost' })],
    ['with https', changeUrl((url) => url.replace('http:', 'https:'))],
    ['with a query', changeUrl((url) => `${url}/?a=1`)],
    ['with a fragment', changeUrl((url) => `${url}/#a`)],
  ],
  [
    'config.app.software.loops',
    config,
    ['Loops', setInPart('app', { software: 'Loops' })],
    ['a relay', setInPart('app', { software: 'loops-relay' })],
  ],
  ['config.app.version.non-empty', config, ['empty', setInPart('app', { version: '' })]],
  ['config.registration_mode.non-empty', config, ['empty', set({ registration_mode: '' })]],
  [
    'discovery.schema-2.0',
    discovery,
    [
      '2.1 only',
      changeBody((json) => {
        json.links[0].rel = 'http://nodeinfo.diaspora.software/ns/schema/2.1';
      }),
    ],
    ['no links', set({ links: [] })],
  ],
  [
    'discovery.href.url',
    discovery,
    [
      'a path',
      changeBody((json) => {
        json.links[0].href = '/nodeinfo/2.0';
      }),
    ],
  ],
  ['nodeinfo.version.2.0', nodeinfo, ['2.1', set({ version: '2.1' })]],
  ['nodeinfo.software.name.loops', nodeinfo, ['Loops', setInPart('software', { name: 'Loops' })]],
  ['nodeinfo.protocols.activitypub', nodeinfo, ['none', set({ protocols: [] })]],
  ['nodeinfo.usage.counts', nodeinfo, ['negative', setInPart('usage', { localPosts: -1 })]],
  [
    'nodeinfo.openRegistrations.same',
    nodeinfo,
    [
      'the opposite',
      changeBody((json) => {
        json.openRegistrations = !json.openRegistrations;
      }),
    ],
  ],
  ['version.same', nodeinfo, ['another', setInPart('software', { version: '0.0.1' })]],

  [
    'endpoint.config',
    config,
    ['500', status(500)],
    ['a page', page],
    ['a list', reply(200, [])],
    ['201', status(201)],
    ['a byte order mark', byteOrderMark],
  ],
  ['endpoint.config.content-type', config, ['HTML', contentType('text/html')], ['none', header('content-type', null)]],
  ['endpoint.discovery', discovery, ['404', status(404)], ['a page', page]],
  ['endpoint.discovery.content-type', discovery, ['plain text', contentType('text/plain')]],
  ['endpoint.nodeinfo', nodeinfo, ['404', status(404)], ['not JSON', reply(200, '{')]],
  ['endpoint.nodeinfo.content-type', nodeinfo, ['XML', contentType('application/xml')]],
  ['endpoint.video', video, ['404', status(404)], ['a page', page]],
  ['endpoint.video.content-type', video, ['HTML', contentType('text/html')]],
  ['endpoint.video.requested', video, ['another id', set({ id: '123456' })]],
  ['endpoint.video.unknown', unknownVideo, ['a video', reply(200, { id: '1' })]],
  ['endpoint.video.unknown.status', unknownVideo, ['400', status(400)], ['200', page]],
  ['endpoint.video.unknown.json', unknownVideo, ['a page', reply(404, '<!doctype html>', 'text/html')]],
  [
    'endpoint.account',
    account,
    ['500', status(500)],
    [
      'refused',
      (answer, request) =>
        request.bearer !== null && !isInvented(request.bearer) ? status(401)(answer, request) : undefined,
    ],
  ],
  ['endpoint.account.content-type', account, ['HTML', contentType('text/html')]],
  [
    'endpoint.apps',
    apps,
    ['500', status(500)],
    ['204', reply(204, '')],
    ['a refusal of strings', reply(422, { message: 'redirect_uris must be a list' })],
  ],
  ['endpoint.apps.content-type', apps, ['HTML', contentType('text/html')]],
  ['endpoint.token.content-type', validToken, ['plain text', contentType('text/plain')]],
  [
    'endpoint.authorize',
    isApproved,
    ['no code', parameter('code', null)],
    ['an empty code', parameter('code', '')],
    ['two codes', changeRedirect((url) => url.searchParams.append('code', 'y'))],
    ['a page', page],
  ],
  [
    'endpoint.revoke',
    revocation,
    ['404', status(404)],
    ['405', status(405)],
    ['a page', page],
    ['a redirect', redirectTo('/login')],
  ],
  ['public.config', config, ['401', status(401)], ['403', status(403)]],
  ['public.nodeinfo', discovery, ['401', status(401)]],
  ['public.nodeinfo', nodeinfo, ['401', status(401)]],
  ['public.video', video, ['401', status(401)]],
  ['account.needs-token', wrong.accountWithoutToken, ['answered', reply(200, { data: { id: '1' } })]],
  ['account.needs-token.status', wrong.accountWithoutToken, ['403', status(403)], ['302', redirectTo('/login')]],
  ['account.needs-valid-token', wrong.accountUnknownToken, ['answered', reply(200, { data: { id: '1' } })]],
  ['account.needs-valid-token.status', wrong.accountUnknownToken, ['403', status(403)]],
  ['limits.max_video_size', config, ['negative', setInPart('media', { max_video_size: -1 })]],
  ['limits.max_video_size.megabytes', config, ['bytes', setInPart('media', { max_video_size: 41_943_040 })]],
  ['limits.max_video_duration', config, ['negative', setInPart('media', { max_video_duration: -1 })]],
  [
    'limits.allowed_video_formats',
    config,
    ['none', setInPart('media', { allowed_video_formats: [] })],
    ['blank', setInPart('media', { allowed_video_formats: [' '] })],
  ],
  ['limits.max_bio_length', config, ['negative', setInPart('account', { max_bio_length: -1 })]],

  ['authorize.redirect_uri.required', wrong.authorizeWithoutRedirect, ['a code', redirectWithCode]],
  ['authorize.response_type.required', wrong.authorizeWithoutResponseType, ['a code', redirectWithCode]],
  ['authorize.client_id.required', wrong.authorizeWithoutClient, ['a redirect', redirectWithError('invalid_request')]],
  ['authorize.client_id.known', wrong.authorizeUnknownClient, ['a redirect', redirectWithError('unauthorized_client')]],
  [
    'authorize.redirect_uri.registered',
    wrong.authorizeOtherRedirect,
    ['a redirect', redirectTo(`${OTHER_REDIRECT_URI}?error=invalid_request`)],
  ],
  [
    'authorize.state.long',
    (request) => authorization(request) && (request.query.get('state') ?? '').length > 400,
    ['cut', changeRedirect((url) => url.searchParams.set('state', url.searchParams.get('state')?.slice(0, 255) ?? ''))],
    ['refused', status(400)],
  ],
  [
    'authorize.redirect_uri.used',
    isApproved,
    ['without its query', parameter('by', null)],
    [
      'on another port',
      changeRedirect((url) => {
        url.port = new URL(OTHER_PORT_URI).port;
      }),
    ],
  ],
  [
    'authorize.response_type.code',
    wrong.authorizeResponseType,
    ['a token', redirectTo(`${REDIRECT_URI}#access_token=x`)],
    ['a code', redirectWithCode],
  ],
  ['authorize.response_type.error', wrong.authorizeResponseType, ['another error', redirectWithError('server_error')]],
  ['authorize.scope.subset', wrong.authorizeScopeBeyond, ['a code', redirectWithCode]],
  ['authorize.scope.registered', registeredScope, ['refused', redirectWithError('invalid_scope')], ['a page', page]],
  ['authorize.scope.error', wrong.authorizeScopeBeyond, ['another error', redirectWithError('server_error')]],
  [
    'authorize.state.echoed',
    isApproved,
    ['none', parameter('state', null)],
    ['another', parameter('state', 'x')],
    [
      'in upper case',
      changeRedirect((url) => url.searchParams.set('state', url.searchParams.get('state')?.toUpperCase() ?? '')),
    ],
    ['twice', changeRedirect((url) => url.searchParams.append('state', url.searchParams.get('state') ?? ''))],
  ],
  [
    'authorize.state.optional',
    isStateless,
    ['an empty one', parameter('state', '')],
    [
      'refused',
      changeRedirect((url) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'invalid_request');
      }),
    ],
  ],
  [
    'authorize.denied',
    isDenied,
    ['a code', parameter('code', 'x')],
    ['another error', parameter('error', 'server_error')],
    ['no state', parameter('state', null)],
  ],
  [
    'authorize.iss',
    isApproved,
    ['none', parameter('iss', null)],
    ['another', parameter('iss', 'https://other.example')],
  ],

  ['token.grant_type.required', wrong.tokenWithoutGrant, ['a token', giveToken], ['500', status(500)]],
  ['token.grant_type.known', wrong.tokenUnknownGrant, ['a token', giveToken]],
  ['token.grant_type.error', wrong.tokenUnknownGrant, ['another', error('invalid_request')]],
  ['token.empty', wrong.tokenEmpty, ['a token', giveToken], ['500', status(500)]],
  ['token.client_id.required', wrong.tokenWithoutClient, ['a token', giveToken]],
  ['token.client_id.known', wrong.tokenUnknownClient, ['a token', giveToken]],
  ['token.client_id.error', wrong.tokenUnknownClient, ['another', error('access_denied', 401)], ['403', status(403)]],
  ['token.client_secret.right', wrong.tokenWrongSecret, ['a token', giveToken]],
  ['token.client_secret.with-code', wrong.tokenCodeWrongSecret, ['a token', giveToken]],
  ['token.client_secret.required', wrong.tokenCodeWithoutSecret, ['a token', giveToken]],
  ['token.client_secret.error', wrong.tokenWrongSecret, ['another', error('invalid_grant')]],
  ['token.code.required', wrong.tokenWithoutCode, ['a token', giveToken]],
  ['token.code.known', wrong.tokenUnknownCode, ['a token', giveToken]],
  ['token.code.error', wrong.tokenUnknownCode, ['another', error('invalid_request')], ['422', status(422)]],
  ['token.code.once', codeToken, ['a token for a used code', secondTime(giveToken)]],
  ['token.redirect_uri.required', wrong.tokenCodeWithoutRedirect, ['a token', giveToken]],
  ['token.redirect_uri.same', wrong.tokenOtherRedirect, ['a token', giveToken]],
  ['token.client_secret.app', wrong.tokenWithoutSecret, ['a token', giveToken]],
  ['token.scope.read', appScopeRead, ['refused', error('invalid_scope')], ['another', set({ scope: 'write' })]],
  ['token.scope.subset', wrong.tokenScopeBeyond, ['a token', reply(200, { access_token: 'y', scope: 'read write' })]],
  ['token.authorization_code', codeToken, ['refused', error('invalid_grant')], ['no token', reply(200, {})]],
  ['token.client_credentials', appToken, ['refused', error('unsupported_grant_type')]],
  ['token.form', tokenInForm, ['refused', error('invalid_request', 415)]],
  [
    'token.no-store',
    appToken,
    ['none', header('cache-control', null)],
    ['public', header('cache-control', 'public, max-age=60')],
  ],
  ['token.error.body', wrong.tokenEmpty, ['a page', reply(400, '<!doctype html>', 'text/html')]],
  ['apps.empty', wrong.appsEmpty, ['accepted', reply(200, { id: '1' })], ['500', status(500)], ['405', status(405)]],
  ['apps.client_name.required', wrong.appsWithoutName, ['accepted', reply(200, { id: '1' })]],
  ['apps.redirect_uris.required', wrong.appsWithoutRedirect, ['accepted', reply(200, { id: '1' })]],
  ['apps.no-store', apps, ['none', header('cache-control', null)]],
  ['scope.default', appToken, ['read write', set({ scope: 'read write' })], ['write', set({ scope: 'write' })]],
  ['account.needs-user', account, ['an account for any token', reply(200, { data: { id: '1' } })]],
  [
    'revoke.token',
    account,
    [
      'a revoked token',
      (answer, request) =>
        answer.status === 401 && request.bearer !== null
          ? reply(200, { data: { id: '1' } })(answer, request)
          : undefined,
    ],
  ],
  ['revoke.token.status', revocation, ['204', status(204)], ['500', status(500)]],
  ['revoke.unknown', wrong.revokeUnknownToken, ['400', error('invalid_request')]],
  ['revoke.client', wrong.revokeWrongSecret, ['accepted', reply(200, {})]],
  ['revoke.empty', wrong.revokeEmpty, ['accepted', reply(200, {})]],
  ['pkce.public', publicToken, ['refused', error('invalid_client', 401)]],
  ['pkce.verifier', wrong.tokenWrongVerifier, ['a token', giveToken]],
  ['pkce.verifier.required', authorizationOrToken, ['a token', withoutVerifier(giveToken)]],
  ['pkce.verifier.error', wrong.tokenWrongVerifier, ['another', error('invalid_request')]],
  ['loopback.port', otherPort, ['refused', reply(400, '<!doctype html>', 'text/html')]],
  ['metadata.json', metadata, ['a list', reply(200, [])], ['not JSON', reply(200, '{')]],
  [
    'metadata.issuer',
    metadata,
    ['another', set({ issuer: 'https://other.example' })],
    [
      'a slash',
      changeBody((json) => {
        json.issuer += '/';
      }),
    ],
  ],
  [
    'metadata.endpoints',
    metadata,
    ['another', set({ token_endpoint: 'https://other.example/token' })],
    ['none', set({ authorization_endpoint: undefined })],
  ],
  ['metadata.response_types', metadata, ['token', set({ response_types_supported: ['token'] })]],
  ['metadata.scopes', metadata, ['read', set({ scopes_supported: ['read'] })]],
  ['metadata.challenge_methods', metadata, ['plain', set({ code_challenge_methods_supported: ['plain'] })]],
];

/** Leaves the first answer about each code unchanged, and rewrites every later one. */
function secondTime(rewrite: Rewrite): Rewrite {
  const codes = new Set<string>();
  return (answer, request) => {
    const { code = '' } = request.fields;
    if (codes.has(code)) rewrite(answer, request);
    codes.add(code);
  };
}

/** Rewrites the answer to a token request that has no verifier, although its code was requested with a challenge. */
function withoutVerifier(rewrite: Rewrite): Rewrite {
  const codes = new Set<string>();
  return (answer, request) => {
    if (request.query.has('code_challenge')) {
      codes.add(URL.parse(answer.headers.location ?? '')?.searchParams.get('code') ?? '');
    }
    const { code = '', code_verifier } = request.fields;
    if (codes.has(code) && code_verifier === undefined) rewrite(answer, request);
  };
}

export function ruleMutations(): Mutation[] {
  return RULES.flatMap(([clause, match, ...rewrites]) =>
    rewrites.map(([what, rewrite]) => ({
      name: `${clause}: ${what}`,
      clause,
      rewrite: (answer, request) => {
        if (match(request)) rewrite(answer, request);
      },
    })),
  );
}
