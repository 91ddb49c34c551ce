import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredVideo } from '../../../src/reference/data/videos.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { storeToken, type TokenOptions } from '../store-token.ts';
import { jsonType, objectWith, valueAt } from '../value-at.ts';

let server: ReferenceServer;
let id: string;
beforeAll(async () => {
  server = await createReferenceServer();
  // The video with two mentions also has a language, tags, sound and an HLS playlist.
  id = server.state.data.videos.all().find(({ mentions }) => mentions.length === 2)?.id ?? '';
});
afterAll(() => server.close());

const get = (videoId = id, init: RequestInit = {}) => fetch(`${server.url}/api/v1/video/${videoId}`, init);
const read = async (options?: TokenOptions): Promise<unknown> => {
  const headers = options === undefined ? {} : storeToken(server.state, options);
  return (await get(id, { headers })).json();
};
const storedVideo = (): StoredVideo => {
  const video = server.state.data.videos.find(id);
  if (video === undefined) throw new Error('There is no such video.');
  return video;
};

/** Fields that are sent as stored: name, type in the specification, and a different value to set. */
const fields: [field: string, type: string, changed: unknown][] = [
  ['caption', 'string', 'Another caption 🎬'],
  ['shortcode', 'string', 'aBc-1'],
  ['is_sensitive', 'boolean', true],
  ['is_local', 'boolean', false],
  ['media.duration', 'integer', 1],
  ['media.width', 'integer', 2],
  ['media.height', 'integer', 3],
  ['pinned', 'boolean', true],
  ['likes', 'integer', 1_000_001],
  ['shares', 'integer', 1_000_002],
  ['comments', 'integer', 1_000_003],
  ['bookmarks', 'integer', 1_000_004],
  ['is_edited', 'boolean', true],
  ['lang', 'string', null],
  ['tags', 'array', ['other', 'tags']],
  ['permissions.can_comment', 'boolean', false],
  ['permissions.can_download', 'boolean', false],
  ['permissions.can_duet', 'boolean', false],
  ['permissions.can_stitch', 'boolean', false],
  ['permissions.can_embed', 'boolean', false],
  ['audio.has_audio', 'boolean', false],
  ['audio.id', 'string', '1'],
  ['audio.count', 'integer', 1_000_005],
  ['audio.key', 'string', '2'],
  ['audio.sound_id', 'string', '3'],
  ['meta.contains_ai', 'boolean', true],
  ['meta.contains_ad', 'boolean', true],
  ['created_at', 'string', '2025-02-03T04:05:06+02:00'],
];

describe('GET /api/v1/video/{video_id}', () => {
  it('sends the video bare, not wrapped in data', async () => {
    const response = await get();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await response.json()).toMatchObject({ id });
  });

  it('wraps the video in data in the profile live', async () => {
    await using live = await createReferenceServer({ profile: 'live' });
    const [video] = live.state.data.videos.all();
    const response = await fetch(`${live.url}/api/v1/video/${video?.id}`);
    expect(await response.json()).toEqual({ data: expect.objectContaining({ id: video?.id }) });
  });

  it('sends every field of the video resource and no other', async () => {
    const keys = (value: unknown) =>
      Object.keys(value as object)
        .sort()
        .join(' ');
    const video = await read();
    const names =
      'account audio bookmarks caption comments created_at has_bookmarked has_liked id is_edited is_local is_owner ' +
      'is_sensitive lang likes media mentions meta permissions pinned shares shortcode tags url';
    expect(keys(video)).toBe(names);
    expect(keys(valueAt(video, 'account'))).toBe('avatar id name username');
    expect(keys(valueAt(video, 'media'))).toBe('alt_text duration height hls_url src_url thumbnail width');
    expect(keys(valueAt(video, 'permissions'))).toBe('can_comment can_download can_duet can_embed can_stitch');
    expect(keys(valueAt(video, 'audio'))).toBe('count has_audio id key sound_id');
    expect(keys(valueAt(video, 'meta'))).toBe('contains_ad contains_ai');
  });

  it.each(fields)('sends %s with its type and follows a change of it', async (field, type, changed) => {
    const before = valueAt(storedVideo(), field);
    const value = valueAt(await read(), field);
    expect([jsonType(value), value]).toEqual([type, before]);
    expect(changed).not.toEqual(value);
    server.state.data.videos.update(id, objectWith(field, changed));
    expect(valueAt(await read(), field)).toEqual(changed);
    server.state.data.videos.update(id, objectWith(field, before));
  });

  it.each(['media.thumbnail', 'media.src_url', 'media.hls_url', 'url'])(
    'sends %s as a URL of this server, or as a test has set it',
    async (field) => {
      const before = valueAt(storedVideo(), field);
      expect(before).toMatch(/^\//);
      expect(valueAt(await read(), field)).toBe(server.url + before);
      server.state.data.videos.update(id, objectWith(field, 'https://cdn.example/file'));
      expect(valueAt(await read(), field)).toBe('https://cdn.example/file');
      server.state.data.videos.update(id, objectWith(field, before));
    },
  );

  it.each(['media.hls_url', 'media.alt_text'])(
    'sends %s as null when there is none, else as a string',
    async (field) => {
      const before = valueAt(storedVideo(), field);
      server.state.data.videos.update(id, objectWith(field, null));
      expect(valueAt(await read(), field)).toBeNull();
      server.state.data.videos.update(id, objectWith(field, 'some text'));
      expect(valueAt(await read(), field)).toBe('some text');
      server.state.data.videos.update(id, objectWith(field, before));
    },
  );

  it.each(['name', 'username', 'avatar'])(
    'sends account.%s with its type and follows a change of it',
    async (field) => {
      const { accounts } = server.state.data;
      const author = accounts.find(storedVideo().account_id);
      if (author === undefined) throw new Error('The video has no author.');
      const before = String(Reflect.get(author, field));
      expect(valueAt(await read(), `account.${field}`)).toBe(before.startsWith('/') ? server.url + before : before);
      accounts.update(author.id, { [field]: 'https://changed.example/' });
      expect(valueAt(await read(), `account.${field}`)).toBe('https://changed.example/');
      accounts.update(author.id, { [field]: before });
    },
  );

  it('sends account.id: the id of the author', async () => {
    const before = storedVideo().account_id;
    expect(valueAt(await read(), 'account.id')).toBe(before);
    const other = server.state.data.accounts.findByUsername('noor')?.id ?? '';
    server.state.data.videos.update(id, { account_id: other });
    expect(await read()).toMatchObject({ account: { id: other, username: 'noor' } });
    server.state.data.videos.update(id, { account_id: before });
  });

  it('sends id: the snowflake of the path, a decimal string', async () => {
    const value = valueAt(await read(), 'id');
    expect(value).toBe(id);
    expect(value).toMatch(/^[1-9]\d*$/);
  });

  it('sends shortcode as the last part of url, for every seeded video', async () => {
    for (const video of server.state.data.videos.all()) {
      const { url, shortcode } = (await (await get(video.id)).json()) as { url: string; shortcode: string };
      expect(new URL(url).pathname.split('/').at(-1)).toBe(shortcode);
    }
  });

  it('sends mentions as accounts with id, username and url', async () => {
    const { data } = server.state;
    expect(valueAt(await read(), 'mentions')).toEqual(
      ['noor', 'mei_lin'].map((username) => ({
        id: data.accounts.findByUsername(username)?.id,
        username,
        url: `${server.url}/@${username}`,
      })),
    );
    const { mentions } = storedVideo();
    data.videos.update(id, { mentions: [] });
    expect(valueAt(await read(), 'mentions')).toEqual([]);
    data.videos.update(id, { mentions });
  });

  it('sends the URLs of an existing image as the thumbnail and of an existing MP4 file', async () => {
    const { media } = (await read()) as { media: { thumbnail: string; src_url: string } };
    const image = await fetch(media.thumbnail);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await image.text()).toMatch(/^<svg .*<\/svg>\s*$/s);
    expect((await fetch(media.src_url)).headers.get('content-type')).toBe('video/mp4');
  });

  it('needs no token, and then is_owner, has_liked and has_bookmarked are false', async () => {
    expect(await read()).toMatchObject({ is_owner: false, has_liked: false, has_bookmarked: false });
  });

  it('sends is_owner: true only to the author', async () => {
    expect(await read({ username: 'ada' })).toMatchObject({ account: { username: 'ada' }, is_owner: true });
    expect(await read({ username: 'noor' })).toMatchObject({ is_owner: false });
  });

  it.each([
    ['has_liked', 'liked_by'],
    ['has_bookmarked', 'bookmarked_by'],
  ])('sends %s for the account of the token', async (field, list) => {
    const noor = server.state.data.accounts.findByUsername('noor')?.id;
    server.state.data.videos.update(id, { [list]: [noor] });
    expect(await read({ username: 'noor' })).toMatchObject({ [field]: true });
    expect(await read({ username: 'ada' })).toMatchObject({ [field]: false });
    server.state.data.videos.update(id, { [list]: [] });
    expect(await read({ username: 'noor' })).toMatchObject({ [field]: false });
  });

  it('ignores a token that is expired or malformed, or that lacks the scope read or a user', async () => {
    const withoutToken = await read();
    const { state } = server;
    expect(await read({ username: 'ada', expiresAt: state.now() - 1 })).toEqual(withoutToken);
    expect(await read({ username: 'ada', scopes: ['write'] })).toEqual(withoutToken);
    expect(await read({ username: null })).toEqual(withoutToken);
    for (const authorization of ['Bearer', 'Bearer a b', 'Basic YTpi', 'nonsense']) {
      expect(await (await get(id, { headers: { authorization } })).json()).toEqual(withoutToken);
    }
  });

  it('responds with 404 and "Record not found." for an id that is unknown or malformed', async () => {
    const wrongIds = [
      '1',
      '0',
      `0${id}`,
      `${id}0`,
      'abc',
      '-1',
      '1e5',
      '%00',
      '%F0%9F%90%A6',
      "1'--",
      '9'.repeat(60),
      'x'.repeat(10_000),
    ];
    for (const wrongId of wrongIds) {
      const response = await get(wrongId);
      expect([wrongId, response.status]).toEqual([wrongId, 404]);
      expect(await response.json()).toEqual({ data: [], error: { code: 404, message: 'Record not found.' } });
    }
  });

  it('answers HEAD like GET without the body', async () => {
    const [full, head] = [await get(), await get(id, { method: 'HEAD' })];
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'));
    expect((await get('1', { method: 'HEAD' })).status).toBe(404);
  });

  it('sends a value of the wrong type when a test has set one', async () => {
    const before = storedVideo();
    const wrong: object = {
      caption: 5,
      url: [],
      media: { duration: 'long', thumbnail: 7 },
      mentions: 'nobody',
      tags: null,
    };
    server.state.data.videos.update(id, wrong);
    expect(await read()).toMatchObject(wrong);
    server.state.data.videos.update(id, before);
  });
});
