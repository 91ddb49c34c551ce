import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormToken } from '../../../src/reference/endpoints/consent-session.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { storeToken } from '../store-token.ts';
import { documentedOperations } from './routes.ts';

interface Operation {
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, { schema: object }> }>;
}

/** The part of an OpenAPI document that is read here: the operations by path and method in lower case. */
interface ApiDocument extends Record<string, unknown> {
  paths: Record<string, Record<string, Operation>>;
}

// POST requests.
const jsonRequest = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const formRequest = (body: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(body),
});
/** Longer than the largest accepted body, 64 KiB. */
const hugeText = 'x'.repeat(100_000);
const hugeRequest = jsonRequest({ client_name: hugeText });
const plainTextRequest: RequestInit = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'a' };
const unfinishedJson: RequestInit = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
const callback = 'https://client.example/callback';
const registrations = {
  spec: { client_name: 'Client', redirect_uris: callback, scopes: 'read write' },
  live: { client_name: 'Client', redirect_uris: [callback] },
};

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

// `METHOD /path STATUS` of each checked answer and of each documented one, in both profiles together.
const checkedStatuses = new Set<string>();
const documentedStatuses = new Set<string>();

describe.each(['spec', 'live'] as const)('the answers in the profile %s', (profile) => {
  let server: ReferenceServer;
  const registration = registrations[profile];
  let client: { client_id: string; client_secret: string };
  let document: ApiDocument;
  const checkedOperations = new Set<string>();
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': timestamp } });

  beforeAll(async () => {
    server = await createReferenceServer({ profile, rateLimit: null });
    document = (await (await fetch(`${server.url}/openapi.json`)).json()) as typeof document;
    ajv.addSchema(document, 'document');
    client = (await (await fetch(`${server.url}/api/v1/apps`, jsonRequest(registration))).json()) as typeof client;
  });
  afterAll(() => server.close());

  /** Sends a request and checks the answer against the served document. */
  const expectDocumented = async (operation: string, path: string, status: number, init: RequestInit = {}) => {
    const [method = '', template = ''] = operation.split(' ');
    const response = await fetch(server.url + path, { redirect: 'manual', ...init, method });
    const body = await response.text();
    expect([operation, path, response.status]).toEqual([operation, path, status]);
    const documented = document.paths[template]?.[method.toLowerCase()]?.responses[status];
    expect(documented, `${operation} ${status}`).toBeDefined();
    for (const name of Object.keys(documented?.headers ?? {})) {
      expect([operation, status, name, response.headers.has(name)]).toEqual([operation, status, name, true]);
    }
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const types = Object.keys(documented?.content ?? {});
    if (types.length > 0) expect([operation, status, types.includes(type)]).toEqual([operation, status, true]);
    if (/^application\/(?:\w+\+)?json$/.test(type)) {
      // A JSON pointer in a URL fragment (RFC 6901 section 6).
      const pointer = ['paths', template, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema']
        .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      ajv.validate(`document#/${pointer}`, JSON.parse(body));
      expect([operation, path, status, ajv.errorsText()]).toEqual([operation, path, status, 'No errors']);
    }
    checkedOperations.add(operation);
    checkedStatuses.add(`${operation} ${status}`);
  };

  it('match the document for the identification of a server', async () => {
    await expectDocumented('GET /api/v1/config', '/api/v1/config', 200);
    await expectDocumented('GET /.well-known/nodeinfo', '/.well-known/nodeinfo', 200);
    await expectDocumented('GET /nodeinfo/2.0', '/nodeinfo/2.0', 200);
    await expectDocumented('GET /nodeinfo/2.1', '/nodeinfo/2.1', profile === 'live' ? 200 : 404);
    await expectDocumented('GET /robots.txt', '/robots.txt', profile === 'live' ? 200 : 404);
    await expectDocumented('GET /openapi.json', '/openapi.json', 200);
    const metadata = '/.well-known/oauth-authorization-server';
    if (profile === 'spec') await expectDocumented(`GET ${metadata}`, metadata, 200);
  });

  it('match the document for actors and their discovery', async () => {
    const operation = 'GET /.well-known/webfinger';
    const resource = (name: string) => `/.well-known/webfinger?resource=acct:${name}@${new URL(server.url).host}`;
    await expectDocumented(operation, resource(new URL(server.url).host), 200);
    await expectDocumented(operation, resource('ada'), 200);
    await expectDocumented(operation, resource('nobody'), 404);
    await expectDocumented(operation, '/.well-known/webfinger', 400);
    await expectDocumented('GET /ap/actor', '/ap/actor', 200);
    const { id = '' } = server.state.data.accounts.findByUsername('ada') ?? {};
    await expectDocumented('GET /ap/users/{id}', `/ap/users/${id}`, 200);
    await expectDocumented('GET /ap/users/{id}', '/ap/users/0', 404);
    const signed = { headers: { signature: 'keyId="https://peer.example/ap/actor#main-key",signature="AA=="' } };
    for (const [deliveryOperation, path] of [
      ['POST /ap/inbox', '/ap/inbox'],
      ['POST /ap/actor/inbox', '/ap/actor/inbox'],
      ['POST /ap/users/{id}/inbox', `/ap/users/${id}/inbox`],
    ] as const) {
      await expectDocumented(deliveryOperation, path, 401);
      await expectDocumented(deliveryOperation, path, 202, signed);
    }
    await expectDocumented('POST /ap/users/{id}/inbox', '/ap/users/0/inbox', 404);
  });

  it('match the document for every video', async () => {
    const operation = 'GET /api/v1/video/{video_id}';
    const headers = storeToken(server.state, { username: 'ada' });
    for (const { id, media } of server.state.data.videos.all()) {
      await expectDocumented(operation, `/api/v1/video/${id}`, 200, { headers });
      if (media.thumbnail.startsWith('/')) await expectDocumented('GET /media/videos/{file}', media.thumbnail, 200);
    }
    await expectDocumented(operation, '/api/v1/video/1', 404);
    await expectDocumented(operation, '/api/v1/video/%zz', 404);
    const [video] = server.state.data.videos.all();
    // The check itself detects a value of the wrong type.
    const wrong: object = { caption: 5 };
    server.state.data.videos.update(video?.id ?? '', wrong);
    await expect(expectDocumented(operation, `/api/v1/video/${video?.id}`, 200)).rejects.toThrow();
    expect(ajv.errorsText()).toBe(`data${profile === 'live' ? '/data' : ''}/caption must be string`);
    server.state.data.videos.update(video?.id ?? '', { caption: '' });
    const file = 'GET /media/videos/{file}';
    await expectDocumented(file, '/media/videos/1.mp4', 404);
    const mp4 = `/media/videos/${video?.id}.mp4`;
    await expectDocumented(file, mp4, 200);
    await expectDocumented(file, mp4, 206, { headers: { range: 'bytes=0-1' } });
    await expectDocumented(file, mp4, 416, { headers: { range: 'bytes=999999-' } });
  });

  it('match the document for every account', async () => {
    const path = '/api/v1/account/info/self';
    const operation = `GET ${path}`;
    for (const { username, avatar, local } of server.state.data.accounts.all()) {
      await expectDocumented(operation, path, 200, { headers: storeToken(server.state, { username }) });
      if (local) await expectDocumented('GET /media/avatars/{file}', avatar, 200);
    }
    await expectDocumented('GET /media/avatars/{file}', '/media/avatars/1.svg', 404);
    await expectDocumented(operation, path, 400, { headers: { authorization: 'Bearer a b' } });
    await expectDocumented(operation, path, 401);
    await expectDocumented(operation, path, 401, { headers: { authorization: 'Bearer unknown' } });
    await expectDocumented(operation, path, 403, { headers: storeToken(server.state, { username: null }) });
    const scopes = ['write'];
    const isRefused = profile === 'spec';
    await expectDocumented(operation, path, isRefused ? 403 : 200, {
      headers: storeToken(server.state, { username: 'ada', scopes }),
    });
  });

  if (profile === 'live')
    it('match the document for apps after the sign-in', async () => {
      const { accounts, videos } = server.state.data;
      const headers = storeToken(server.state, { username: 'ada' });
      const [ada, noor] = ['ada', 'noor'].map((name) => accounts.findByUsername(name)?.id ?? '');
      const video = videos.all().find(({ permissions }) => permissions.can_comment)?.id ?? '';
      const path = (template: string, id: string) => template.replace(/\{\w+\}/, id);
      const publicReads = [
        ['/api/v1/account/username/{name}', 'noor'],
        ['/api/v1/feed/account/{id}', ada],
        ['/api/v1/video/comments/{id}', video],
      ] as const;
      const comments = 'POST /api/v1/video/comments/{id}';
      const commentPath = path('/api/v1/video/comments/{id}', video);
      const withBody = (body: RequestInit): RequestInit => ({
        ...body,
        headers: { ...Object(body.headers), ...headers },
      });
      await expectDocumented(comments, commentPath, 200, withBody(jsonRequest({ comment: 'Nice' })));
      for (const [template, id = ''] of publicReads) {
        await expectDocumented(`GET ${template}`, path(template, id), 200);
        await expectDocumented(`GET ${template}`, path(template, '0'), 404);
      }
      const ofUser = [
        ...['/api/v1/app/preferences', '/api/v1/account/notifications/count'].map((one) => ['GET', one, '']),
        ...['for-you', 'local', 'following'].map((feed) => ['GET', `/api/v1/feed/${feed}`, '']),
        ['GET', '/api/v1/account/info/{id}', noor],
        ['GET', '/api/v1/account/state/{id}', noor],
        ...['follow', 'unfollow'].map((action) => ['POST', `/api/v1/account/${action}/{id}`, noor]),
        ...['like', 'unlike', 'bookmark', 'unbookmark'].map((action) => [
          'POST',
          `/api/v1/video/${action}/{id}`,
          video,
        ]),
      ] as [string, string, string][];
      for (const [method, template, id] of ofUser) {
        await expectDocumented(`${method} ${template}`, path(template, id), 200, { headers });
        await expectDocumented(`${method} ${template}`, path(template, id), 401);
        if (id !== '') await expectDocumented(`${method} ${template}`, path(template, '0'), 404, { headers });
      }
      for (const action of ['follow', 'unfollow']) {
        await expectDocumented(`POST /api/v1/account/${action}/{id}`, `/api/v1/account/${action}/${ada}`, 422, {
          headers,
        });
      }
      const preferences = '/api/v1/app/preferences';
      await expectDocumented(`POST ${preferences}`, preferences, 200, withBody(jsonRequest({ mute_on_open: true })));
      await expectDocumented(comments, commentPath, 422, withBody(jsonRequest({})));
      for (const [operation, target] of [
        [comments, commentPath],
        [`POST ${preferences}`, preferences],
      ] as const) {
        await expectDocumented(operation, target, 400, withBody(unfinishedJson));
        await expectDocumented(operation, target, 401);
        await expectDocumented(operation, target, 413, hugeRequest);
        await expectDocumented(operation, target, 415, plainTextRequest);
      }
      await expectDocumented('GET /api/v1/page/content', '/api/v1/page/content?slug=privacy', 200);
      await expectDocumented('GET /api/v1/page/content', '/api/v1/page/content?slug=none', 404);
      await expectDocumented('GET /api/v1/page/content', '/api/v1/page/content', 422);
      await expectDocumented('GET /ping', '/ping', 200);
      const logout = '/api/v1/app/logout';
      await expectDocumented(`POST ${logout}`, logout, 200, { headers });
      await expectDocumented(`POST ${logout}`, logout, 401);
      server.state.rateLimit = { perMinute: 1, perHour: 1 };
      await fetch(`${server.url}/api/v1/config`);
      for (const operation of documentedOperations(document)) {
        const [method = '', template = ''] = operation.split(' ');
        if (document.paths[template]?.[method.toLowerCase()]?.responses[429] === undefined) continue;
        if (template.startsWith('/api/')) await expectDocumented(operation, path(template, '1'), 429);
      }
      server.state.rateLimit = null;
    });

  it('match the document for registration', async () => {
    const path = '/api/v1/apps';
    const operation = `POST ${path}`;
    await expectDocumented(operation, path, 200, jsonRequest(registration));
    await expectDocumented(operation, path, 200, formRequest({ client_name: 'A', 'redirect_uris[]': callback }));
    await expectDocumented(
      operation,
      path,
      200,
      jsonRequest({ ...registration, redirect_uris: [callback, `${callback}2`] }),
    );
    await expectDocumented(operation, path, 400, unfinishedJson);
    await expectDocumented(operation, path, 413, hugeRequest);
    await expectDocumented(operation, path, 415, plainTextRequest);
    await expectDocumented(operation, path, 422, jsonRequest({}));
  });

  it('match the document for tokens', async () => {
    const path = '/oauth/token';
    const operation = `POST ${path}`;
    const redirect_uri = callback;
    const { id: accountId = '' } = server.state.data.accounts.findByUsername('ada') ?? {};
    const { id: appId = 0 } = server.state.data.apps.find(client.client_id) ?? {};
    const grant = { appId, accountId, redirectUri: redirect_uri, scopes: [], challenge: null };
    const codeRequest = () => ({
      grant_type: 'authorization_code',
      ...client,
      redirect_uri,
      code: server.state.data.codes.issue(
        { ...grant, scopes: profile === 'spec' ? ['read'] : [] },
        Date.now() + 60_000,
      ),
    });
    if (profile === 'live') {
      const answer = await fetch(server.url + path, jsonRequest(codeRequest()));
      const { refresh_token = '' } = (await answer.json()) as { refresh_token?: string };
      await expectDocumented(
        operation,
        path,
        200,
        formRequest({ grant_type: 'refresh_token', ...client, refresh_token }),
      );
    }
    const request = profile === 'spec' ? { grant_type: 'client_credentials', ...client } : codeRequest();
    await expectDocumented(operation, path, 200, jsonRequest(request));
    await expectDocumented(operation, path, 200, formRequest(codeRequest()));
    await expectDocumented(operation, path, 400, jsonRequest({}));
    await expectDocumented(operation, path, 400, unfinishedJson);
    await expectDocumented(operation, path, 401, jsonRequest({ ...request, client_secret: 'wrong' }));
    await expectDocumented(operation, path, 413, hugeRequest);
    await expectDocumented(operation, path, 415, plainTextRequest);
  });

  if (profile === 'spec')
    it('match the document for revocation', async () => {
      const path = '/oauth/revoke';
      const operation = `POST ${path}`;
      await expectDocumented(operation, path, 200, jsonRequest({ ...client, token: 'unknown' }));
      await expectDocumented(operation, path, 400, formRequest(client));
      await expectDocumented(
        operation,
        path,
        401,
        jsonRequest({ ...client, client_secret: 'wrong', token: 'unknown' }),
      );
      await expectDocumented(operation, path, 413, hugeRequest);
      await expectDocumented(operation, path, 415, plainTextRequest);
    });

  it('match the document for the consent pages', async () => {
    const path = '/oauth/authorize';
    const pagePath = (changes: Record<string, string> = {}) =>
      `${path}?${new URLSearchParams({ response_type: 'code', client_id: client.client_id, redirect_uri: callback, ...changes })}`;
    // A consent to an app with a token would be remembered in the profile live.
    server.state.data.tokens.revokeAllOf(server.state.data.accounts.findByUsername('ada')?.id ?? '');
    await expectDocumented(`GET ${path}`, pagePath(), 200);
    await expectDocumented(`GET ${path}`, path, 400);

    const operation = `POST ${path}`;
    let cookie = '';
    /** Opens a page and returns the request that sends its form with the cookie of the visitor. */
    const openForm = async (
      target: string,
      action: string,
      fields: Record<string, string> = {},
    ): Promise<RequestInit> => {
      const page = await fetch(server.url + target, { headers: { cookie } });
      cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      const token = /name="token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
      return { ...formRequest({ token, action, ...fields }), headers: { cookie } };
    };
    await expectDocumented(operation, pagePath(), 403, formRequest({ action: 'approve', token: 'wrong' }));
    await expectDocumented(operation, pagePath(), 415, jsonRequest({}));
    await expectDocumented(operation, pagePath(), 413, formRequest({ action: hugeText }));
    const wrong = { username: 'ada', password: 'wrong' };
    // After five failures, the sixth sign-in is refused.
    for (const status of [422, 422, 422, 422, 422, 429]) {
      await expectDocumented(operation, pagePath(), status, await openForm(pagePath(), 'sign-in', wrong));
    }
    server.state.autoApprove = 'ada';
    await expectDocumented(`GET ${path}`, pagePath(), 303);
    server.state.autoApprove = null;

    // Signs in without the page, which refuses further sign-ins after the failures.
    const account = server.state.data.accounts.findByUsername('ada');
    const sessionKey = server.state.data.sessions.start(account?.id ?? '', Date.now() + 60_000);
    const [cookieName] = cookie.split('=');
    cookie = `${cookieName}=${sessionKey}`;
    await expectDocumented(operation, pagePath(), 303, await openForm(pagePath(), 'approve'));
    const uri = 'urn:ietf:wg:oauth:2.0:oob';
    const outOfBand = { ...registration, redirect_uris: profile === 'live' ? [uri] : uri };
    const outOfBandClient = (await (
      await fetch(`${server.url}/api/v1/apps`, jsonRequest(outOfBand))
    ).json()) as typeof client;
    const outOfBandPath = pagePath({ client_id: outOfBandClient.client_id, redirect_uri: uri });
    await expectDocumented(operation, outOfBandPath, 200, await openForm(outOfBandPath, 'approve'));

    // The valid form of an app that is unknown, as if it had been evicted while its page was open.
    const rawQuery = 'client_id=unknown';
    const token = createFormToken(server.state.data, { cookie: sessionKey, purpose: 'consent', rawQuery });
    const formOfUnknownApp = { ...formRequest({ token, action: 'approve' }), headers: { cookie } };
    await expectDocumented(operation, `${path}?${rawQuery}`, 400, formOfUnknownApp);
  });

  it('match the document for the rate limit', async () => {
    server.state.rateLimit = { perMinute: 1, perHour: 1 };
    await fetch(`${server.url}/api/v1/config`);
    const paths = ['/api/v1/config', '/api/v1/account/info/self'];
    for (const path of paths) await expectDocumented(`GET ${path}`, path, 429);
    await expectDocumented('GET /api/v1/video/{video_id}', '/api/v1/video/1', 429);
    await expectDocumented('POST /api/v1/apps', '/api/v1/apps', 429, jsonRequest(registration));

    server.state.rateLimit = null;
  });

  if (profile === 'live') {
    it('match the document while federation is off', async () => {
      server.state.config.federation = false;
      for (const path of ['/.well-known/nodeinfo', '/nodeinfo/2.0', '/nodeinfo/2.1']) {
        await expectDocumented(`GET ${path}`, path, 404);
      }
      await expectDocumented('GET /.well-known/webfinger', '/.well-known/webfinger?resource=acct:ada@a.example', 404);
      await expectDocumented('GET /ap/actor', '/ap/actor', 404);
      for (const path of ['/ap/inbox', '/ap/actor/inbox']) await expectDocumented(`POST ${path}`, path, 404);
      server.state.config.federation = true;
    });
  }

  it('cover every documented operation', () => {
    expect([...checkedOperations].sort()).toEqual(documentedOperations(document));
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(operations)) {
        for (const status of Object.keys(responses)) {
          documentedStatuses.add(`${method.toUpperCase()} ${path} ${status}`);
        }
      }
    }
  });
});

it('the answers in both profiles together cover every documented status', () => {
  expect([...checkedStatuses].sort()).toEqual([...documentedStatuses].sort());
});
