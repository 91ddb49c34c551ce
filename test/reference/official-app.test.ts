import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer, seededAccounts } from '../../src/reference/index.ts';
import { createConsentVisitor } from './consent-visitor.ts';

let server: ReferenceServer;
beforeEach(async () => {
  server = await createReferenceServer({ profile: 'live' });
});
afterEach(() => server.close());

const redirectUri = 'loops://oauth-callback';
const scopes = 'user:read user:write video:create video:read';
const boundary = 'R3Yk0dnyHwT_boundary.9';

interface Answer {
  status: number;
  type: string;
  json: Record<string, never>;
}

/** Sends exactly these headers and bytes. */
async function send(method: string, path: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  const { status, type, content } = await new Promise<{ status: number; type: string; content: string }>(
    (resolve, reject) => {
      const request = httpRequest(server.url + path, { method, headers }, (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response).then((content) => resolve({ status, type: headers['content-type'] ?? '', content }), reject);
      });
      request.on('error', reject).end(body);
    },
  );
  return { status, type, json: type.startsWith('application/json') ? JSON.parse(content) : {} };
}

/** A multipart form as React Native writes it: each part has its disposition and nothing else. */
function postForm(path: string, fields: readonly (readonly [string, string])[]): Promise<Answer> {
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = `${parts.join('')}--${boundary}--\r\n`;
  const headers = {
    accept: 'application/json',
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(Buffer.byteLength(body)),
  };
  return send('POST', path, headers, body);
}

it('serves what the official app sends, from the preflight check to a playing video and the logout', async () => {
  const config = await send('GET', '/api/v1/config', { accept: 'application/json' });
  expect(config).toMatchObject({ status: 200, json: { app: { software: 'loops' }, registration: true } });

  const app = await postForm('/api/v1/apps', [
    ['client_name', 'Loops for Android'],
    ['redirect_uris[]', redirectUri],
    ['scopes', scopes],
    ['website', 'https://joinloops.org'],
  ]);
  expect(app).toMatchObject({ status: 200, json: { client_name: 'Loops for Android', redirect_uris: [redirectUri] } });
  const { client_id, client_secret } = app.json as unknown as Record<string, string>;

  const query = `client_id=${client_id}&scope=${scopes.replaceAll(' ', '+')}&redirect_uri=${encodeURIComponent(redirectUri)}&response_type=code`;
  const { headers } = await createConsentVisitor(server).approve(query);
  const returned = headers.get('location') ?? '';
  expect(returned).toMatch(/^loops:\/\/oauth-callback\?code=[\w-]+$/);
  const credentials = [
    ['client_id', client_id ?? ''],
    ['client_secret', client_secret ?? ''],
  ] as const;
  const token = await postForm('/oauth/token', [
    ...credentials,
    ['redirect_uri', redirectUri],
    ['grant_type', 'authorization_code'],
    ['code', new URL(returned).searchParams.get('code') ?? ''],
    ['scope', scopes],
  ]);
  expect(token).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: expect.any(Number) } });
  const refreshed = await postForm('/oauth/token', [
    ...credentials,
    ['grant_type', 'refresh_token'],
    ['refresh_token', String(token.json.refresh_token)],
  ]);
  expect(refreshed.status).toBe(200);
  const authorization = `Bearer ${refreshed.json.access_token}`;
  const json = { authorization, accept: 'application/json', 'content-type': 'application/json' };
  /** The app signs its user out when an answer is 403 or HTML. */
  const ask = async (method: string, path: string, body = '') => {
    const answer = await send(method, path, method === 'GET' ? { authorization } : json, body);
    expect([path, answer.status, answer.type.split(';')[0]]).toEqual([path, 200, 'application/json']);
    return answer.json as unknown as Record<string, never> & { data: never; meta: { next_cursor: string | null } };
  };
  const [user] = seededAccounts();
  const self = (await ask('GET', '/api/v1/account/info/self')).data as { id: string; username: string };
  expect(self.username).toBe(user?.username);

  expect((await ask('GET', '/api/v1/app/preferences')).data).toMatchObject({ settings: { mute_on_open: false } });
  const preferences = '{"mute_on_open":true,"default_feed":"following"}';
  expect((await ask('POST', '/api/v1/app/preferences', preferences)).data).toMatchObject({
    settings: { mute_on_open: true, default_feed: 'following', loop_videos: true },
  });
  expect((await ask('GET', '/api/v1/account/notifications/count')).data).toEqual({ unread_count: 0 });

  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await ask('GET', `/api/v1/feed/for-you${cursor === '' ? '' : `?cursor=${cursor}`}`);
    seen.push(...(page.data as { id: string }[]).map(({ id }) => id));
    cursor = page.meta.next_cursor;
  }
  const all = server.state.data.videos.all();
  expect(seen).toEqual(all.map(({ id }) => id).reverse());
  expect((await ask('GET', '/api/v1/feed/local')).data).toHaveLength(5);

  const noor = server.state.data.accounts.findByUsername('noor');
  const idsIn = async (path: string) =>
    ((await ask('GET', path)).data as { account: { id: string } }[]).map((one) => one.account.id);
  expect(await idsIn('/api/v1/feed/following')).not.toContain(noor?.id);
  const followed = (await ask('POST', `/api/v1/account/follow/${noor?.id}`)).data as { follower_count: number };
  expect(followed.follower_count).toBe((noor?.follower_count ?? 0) + 1);
  expect(await idsIn('/api/v1/feed/following')).toContain(noor?.id);
  expect((await ask('GET', `/api/v1/account/state/${noor?.id}`)).data).toMatchObject({
    following: true,
    blocking: false,
  });
  for (const path of [`info/${noor?.id}`, 'username/noor']) {
    expect((await ask('GET', `/api/v1/account/${path}`)).data).toMatchObject({ username: 'noor', is_owner: false });
  }
  expect(new Set(await idsIn(`/api/v1/feed/account/${noor?.id}`))).toEqual(new Set([noor?.id]));
  await ask('POST', `/api/v1/account/unfollow/${noor?.id}`);
  expect(server.state.data.accounts.findByUsername('noor')?.follower_count).toBe(noor?.follower_count);

  const video = all.findLast(({ is_local, permissions, liked_by, bookmarked_by }) => {
    return is_local && permissions.can_comment && ![...liked_by, ...bookmarked_by].includes(self.id);
  });
  const path = `/api/v1/video/${video?.id}`;
  for (const [action, flag, count] of [
    ['like', 'has_liked', 'likes'],
    ['bookmark', 'has_bookmarked', 'bookmarks'],
  ] as const) {
    for (const _twice of [1, 2]) await ask('POST', `/api/v1/video/${action}/${video?.id}`);
    expect((await ask('GET', path)).data).toMatchObject({ [flag]: true, [count]: (video?.[count] ?? 0) + 1 });
    await ask('POST', `/api/v1/video/un${action}/${video?.id}`);
    expect((await ask('GET', path)).data).toMatchObject({ [flag]: false, [count]: video?.[count] });
  }
  await ask('POST', `/api/v1/video/comments/${video?.id}`, '{"comment":"Lovely"}');
  const comments = (await ask('GET', `/api/v1/video/comments/${video?.id}`)).data;
  expect(comments).toMatchObject([{ caption: 'Lovely', is_owner: true, account: { username: self.username } }]);

  const shown = (await ask('GET', path)).data as { comments: number; media: { src_url: string; thumbnail: string } };
  expect(shown).toMatchObject({ comments: (video?.comments ?? 0) + 1, account: { display_name: expect.any(String) } });
  const play = async (range: string) => {
    const response = await fetch(shown.media.src_url, { headers: { range } });
    return {
      status: response.status,
      range: response.headers.get('content-range'),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };
  const whole = await play('bytes=0-');
  expect([whole.status, whole.bytes.toString('latin1', 4, 8)]).toEqual([206, 'ftyp']);
  const { length } = whole.bytes;
  expect(await play('bytes=4-7')).toEqual({
    status: 206,
    range: `bytes 4-7/${length}`,
    bytes: whole.bytes.slice(4, 8),
  });
  expect((await play('bytes=-3')).range).toBe(`bytes ${length - 3}-${length - 1}/${length}`);
  expect((await fetch(shown.media.thumbnail)).status).toBe(200);

  expect((await ask('GET', '/api/v1/page/content?slug=privacy')).data).toMatchObject({ slug: 'privacy' });
  expect((await send('GET', '/ping', {})).status).toBe(200);
  // The app sends the type JSON and no body.
  await ask('POST', '/api/v1/app/logout');
  expect((await send('GET', '/api/v1/account/info/self', { authorization })).status).toBe(401);
});

it('answers the paths of the app that it does not play with 404, and in the profile spec all of these', async () => {
  const statusOf = async (method: string, path: string) => {
    const { status, json } = await send(method, path, {});
    return [status, json.message];
  };
  for (const path of ['/api/v1/account/notifications', '/api/v1/explore/tags', '/api/v1/dm/conversations']) {
    expect(await statusOf('GET', path)).toEqual([404, 'Not Found.']);
  }
  server.state.profile = 'spec';
  for (const path of ['/ping', '/api/v1/feed/local', '/api/v1/account/info/1', '/api/v1/app/preferences']) {
    for (const method of ['GET', 'POST']) expect(await statusOf(method, path)).toEqual([404, 'Not Found.']);
  }
});

it('a video has no playlist, no comments when they are off, and a new audio key at every request', async () => {
  const [first, second] = server.state.data.videos.all();
  server.state.data.videos.update(first?.id ?? '', { comments: 7, permissions: { can_comment: false } });
  const read = async (id = '') => (await send('GET', `/api/v1/video/${id}`, {})).json.data as unknown as object;
  expect(await read(first?.id)).toMatchObject({ comments: 0, media: { hls_url: null } });
  const keyOf = async () => Object(await read(second?.id)).audio.key;
  expect(await keyOf()).not.toBe(await keyOf());
});
