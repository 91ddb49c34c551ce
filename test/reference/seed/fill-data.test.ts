import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openData, type ReferenceData } from '../../../src/reference/data/open-data.ts';
import { JsonFileError } from '../../../src/reference/options/json-file.ts';
import { Account, Video } from '../../../src/reference/resources.ts';
import { type FillOptions, fillData, seedOf } from '../../../src/reference/seed/fill-data.ts';
import { snowflakeTimeMs } from '../../../src/reference/seed/identifiers.ts';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer } from '../../../src/reference/server.ts';
import { createState } from '../../../src/reference/state.ts';

const opened: Disposable[] = [];
afterEach(() => {
  for (const data of opened.splice(0)) data[Symbol.dispose]();
});

/** Opens a database, by default in memory, and fills it. The database is closed after the test. */
function openFilled(options: FillOptions = {}, database?: string): ReferenceData {
  const data = openData({ database });
  opened.push(data);
  fillData(data, options);
  return data;
}

const contents = ({ accounts, videos }: ReferenceData) => ({ accounts: accounts.all(), videos: videos.all() });

describe('fillData', () => {
  it('creates the same accounts, videos and passwords for the same seed at any time', () => {
    const first = contents(openFilled({ seed: 7 }));
    const passwords = seededAccounts(7);
    vi.useFakeTimers({ now: Date.UTC(2031, 4, 5), toFake: ['Date'] });
    try {
      expect(contents(openFilled({ seed: 7 }))).toEqual(first);
      expect(seededAccounts(7)).toEqual(passwords);
    } finally {
      vi.useRealTimers();
    }
  });

  it('creates other ids, counts and passwords but the same usernames for another seed', () => {
    const [first, second] = [contents(openFilled({ seed: 1 })), contents(openFilled({ seed: 2 }))];
    const ids = [first, second].flatMap(({ accounts, videos }) => [...accounts, ...videos].map(({ id }) => id));
    expect(new Set(ids).size).toBe(2 * (first.accounts.length + first.videos.length));
    expect(first.videos.map(({ likes }) => likes)).not.toEqual(second.videos.map(({ likes }) => likes));
    expect(first.accounts.map(({ username }) => username)).toEqual(second.accounts.map(({ username }) => username));
    const passwords = [...seededAccounts(1), ...seededAccounts(2)].map(({ password }) => password);
    expect(new Set(passwords).size).toBe(passwords.length);
  });

  it('defaults to the seed 1', () => {
    const data = openFilled();
    expect(seedOf(data)).toBe(1);
    expect(contents(data)).toEqual(contents(openFilled({ seed: 1 })));
    expect(seededAccounts()).toEqual(seededAccounts(1));
  });

  it('creates accounts and videos that match their schemas', () => {
    const { accounts, videos } = contents(openFilled({ seed: 3 }));
    for (const account of accounts) Account.omit({ is_owner: true, is_blocking: true }).strict().parse(account);
    const StoredVideo = Video.omit({ account: true, is_owner: true, has_liked: true, has_bookmarked: true }).strict();
    for (const { account_id, liked_by, bookmarked_by, ...video } of videos) {
      StoredVideo.parse(video);
      expect(accounts.map(({ id }) => id)).toEqual(expect.arrayContaining([account_id, ...liked_by, ...bookmarked_by]));
    }
  });

  it('creates counts that agree with the videos, likes and bookmarks', () => {
    // The last seed exceeds a signed 32-bit integer.
    for (const seed of [1, 2, 3, 4_000_000_000]) {
      const { accounts, videos } = contents(openFilled({ seed }));
      for (const { id, post_count, likes_count } of accounts) {
        const ownVideos = videos.filter(({ account_id }) => account_id === id);
        expect([post_count, likes_count]).toEqual([
          ownVideos.length,
          ownVideos.reduce((sum, { likes }) => sum + likes, 0),
        ]);
      }
      for (const { likes, liked_by, bookmarks, bookmarked_by, comments, permissions } of videos) {
        expect(likes).toBeGreaterThanOrEqual(liked_by.length);
        expect(bookmarks).toBeGreaterThanOrEqual(bookmarked_by.length);
        if (!permissions.can_comment) expect(comments).toBe(0);
      }
    }
  });

  it('respects the default limits that the server publishes', () => {
    using state = createState('http://127.0.0.1');
    const { account, media } = state.config;
    for (const { bio } of state.data.accounts.all()) {
      expect([...bio].length).toBeLessThanOrEqual(account.max_bio_length);
    }
    for (const video of state.data.videos.all()) {
      expect(video.media.duration).toBeLessThanOrEqual(media.max_video_duration);
      expect(media.allowed_video_formats).toContain(video.media.src_url.split('.').at(-1));
    }
  });

  it('creates ids that contain the creation time, and no video older than its account', () => {
    const { accounts, videos } = contents(openFilled({ seed: 11 }));
    for (const { id, created_at } of [...accounts, ...videos]) {
      expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      expect(snowflakeTimeMs(id)).toBe(Date.parse(created_at));
    }
    for (const { account_id, id } of videos) expect(snowflakeTimeMs(id)).toBeGreaterThan(snowflakeTimeMs(account_id));
  });

  it('creates every kind of account that a client must handle', () => {
    const { accounts } = contents(openFilled());
    const locals = accounts.filter(({ local }) => local);
    expect(locals.map(({ username }) => username)).toEqual(['ada', 'noor', 'mei_lin', 'sam.2']);
    expect(locals.filter(({ is_admin }) => is_admin)).toHaveLength(1);
    expect(locals.filter(({ manually_approves_followers }) => manually_approves_followers)).toHaveLength(1);
    expect(new Set(accounts.map(({ links }) => links.length))).toEqual(new Set([0, 1, 3]));
    const links = accounts.flatMap((account) => account.links);
    expect(new Set(links.map(({ is_verified }) => is_verified))).toEqual(new Set([true, false]));
    expect(links.some(({ url, link }) => url.endsWith('...') && link.length > url.length)).toBe(true);
    expect(locals.some(({ bio, post_count }) => bio === '' && post_count === 0)).toBe(true);
    expect(locals.some(({ bio }) => /\p{Script=Arabic}.*\p{Emoji_Presentation}/su.test(bio))).toBe(true);
    const remotes = accounts.filter(({ local }) => !local);
    expect(remotes).toMatchObject([{ username: 'rune@clips.example', remote_url: 'https://clips.example/@rune' }]);
    expect(locals.every(({ remote_url }) => remote_url === null)).toBe(true);
  });

  it('creates every kind of video that a client must handle', () => {
    const { videos } = contents(openFilled());
    expect(videos).toHaveLength(24);
    const groups = {
      is_sensitive: videos.filter((video) => video.is_sensitive),
      pinned: videos.filter((video) => video.pinned),
      is_edited: videos.filter((video) => video.is_edited),
      remote: videos.filter((video) => !video.is_local),
      'no hls': videos.filter(({ media }) => media.hls_url === null),
      'no alt text': videos.filter(({ media }) => media.alt_text === null),
      'no language': videos.filter(({ lang }) => lang === null),
      'no caption': videos.filter(({ caption }) => caption === ''),
      'no tags': videos.filter(({ tags }) => tags.length === 0),
      mentions: videos.filter(({ mentions }) => mentions.length > 0),
      ai: videos.filter(({ meta }) => meta.contains_ai),
      ad: videos.filter(({ meta }) => meta.contains_ad),
      'no audio': videos.filter(({ audio }) => !audio.has_audio),
      'no permissions': videos.filter(({ permissions }) => Object.values(permissions).every((allowed) => !allowed)),
    };
    // Each group contains some of the videos, but not all.
    for (const [name, found] of Object.entries(groups)) {
      expect([name, found.length > 0 && found.length < videos.length]).toEqual([name, true]);
    }
  });

  it('creates working passwords for local accounts, and none for the remote account', () => {
    const { accounts } = openFilled({ seed: 5 });
    const known = seededAccounts(5);
    // Without rune@clips.example, the remote account.
    expect(known.map(({ username }) => username)).toEqual(['ada', 'noor', 'mei_lin', 'sam.2']);
    for (const { username, password } of known) {
      expect(password).toMatch(/^[a-z]+-[a-z]+-[a-z]+-\d{4}$/);
      expect(accounts.signIn(username, password)?.username).toBe(username);
    }
  });
});

describe('fillData into a file', () => {
  const folders: string[] = [];
  const newFile = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loopscout-seed-'));
    folders.push(folder);
    return join(folder, 'reference.db');
  };
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  it('leaves an already filled file unchanged', async () => {
    const file = await newFile();
    const filled = openFilled({ seed: 9 }, file);
    filled.accounts.update(filled.accounts.all()[0]?.id ?? '', { bio: 'Changed.' });
    const kept = contents(filled);
    filled[Symbol.dispose]();
    for (const seed of [undefined, 9]) expect(contents(openFilled({ seed }, file))).toEqual(kept);
    expect(kept.accounts[0]?.bio).toBe('Changed.');
  });

  it('refuses a seed other than the one in the file, and suggests a cure', async () => {
    const file = await newFile();
    openFilled({ seed: 9 }, file);
    expect(() => openFilled({ seed: 10 }, file)).toThrow(
      'The database was filled from the seed 9, not 10. Leave the seed out, or name a file that does not exist yet.',
    );
  });

  it('adds the accounts and videos of the options only once', async () => {
    const file = await newFile();
    const options: FillOptions = { accounts: [{ username: 'kim' }], videos: [{ by: 'kim', likes: 3 }] };
    const first = contents(openFilled(options, file));
    expect(contents(openFilled(options, file))).toEqual(first);
    expect(first.videos.at(-1)).toMatchObject({ likes: 3 });
    expect(first.accounts.at(-1)).toMatchObject({ username: 'kim', post_count: 1, likes_count: 3 });
  });

  it('serves the data of a file under the URL of the server that opens it', async () => {
    const database = await newFile();
    const urls: string[] = [];
    for (const url of ['https://one.example', 'https://other.example']) {
      await using server = await createReferenceServer({ database, url });
      const [video] = server.state.data.videos.all();
      const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/video/${video?.id}`);
      urls.push(((await response.json()) as { url: string }).url);
    }
    expect(urls[0]).toMatch(/^https:\/\/one\.example\/v\/./);
    expect(urls[1]).toBe(urls[0]?.replace('one', 'other'));
  });

  it('leaves the file unchanged when an option is invalid', async () => {
    const file = await newFile();
    expect(() => openFilled({ accounts: [{ username: 'kim' }], videos: [{ by: 'nobody' }] }, file)).toThrow('nobody');
    // Another seed is accepted, so not even the default seed was stored.
    expect(openFilled({ seed: 4 }, file).accounts.findByUsername('kim')).toBeUndefined();
  });
});

describe('fillData with accounts and videos in its options', () => {
  it('adds an account with plain defaults and a working password', () => {
    const { accounts } = openFilled({ accounts: [{ username: 'kim', bio: 'New here.', password: 'secret' }] });
    const kim = accounts.findByUsername('kim');
    expect(kim).toMatchObject({
      name: 'kim',
      bio: 'New here.',
      local: true,
      remote_url: null,
      links: [],
      post_count: 0,
    });
    expect(accounts.signIn('kim', 'secret')).toEqual(kim);
    Account.omit({ is_owner: true, is_blocking: true }).parse(kim);
  });

  it('derives the id of an added account from the seed and the username', () => {
    const idOf = (seed: number, username: string) =>
      openFilled({ seed, accounts: [{ username }] }).accounts.findByUsername(username)?.id;
    expect(idOf(1, 'kim')).toMatch(/^\d+$/);
    expect(idOf(1, 'kim')).toBe(idOf(1, 'kim'));
    expect(new Set([idOf(1, 'kim'), idOf(2, 'kim'), idOf(1, 'lee')]).size).toBe(3);
  });

  it('changes fields and the password of the seeded account with the same username, and keeps the rest', () => {
    const before = openFilled().accounts.findByUsername('ada');
    const { accounts } = openFilled({ accounts: [{ username: 'ada', bio: 'Changed.', links: [], password: 'other' }] });
    expect(accounts.findByUsername('ada')).toEqual({ ...before, bio: 'Changed.', links: [] });
    expect(accounts.signIn('ada', 'other')).toBeDefined();
    expect(accounts.signIn('ada', seededAccounts()[0]?.password ?? '')).toBeUndefined();
  });

  it('adds a remote account, which cannot sign in even with a password', () => {
    const { accounts } = openFilled({
      accounts: [{ username: 'kim@clips.example', local: false, password: 'secret' }],
    });
    expect(accounts.findByUsername('kim@clips.example')).toMatchObject({ remote_url: 'https://clips.example/@kim' });
    expect(accounts.signIn('kim@clips.example', 'secret')).toBeUndefined();
  });

  it('refuses a wrong id for a seeded account', () => {
    expect(() => openFilled({ accounts: [{ username: 'ada', id: '5' }] })).toThrow(
      /^the options: accounts\[0\]\.id is "5"; ada has the id \d+: leave it out$/,
    );
  });

  it('adds videos with plain defaults after the seeded ones, in order', () => {
    const { accounts, videos } = openFilled({
      videos: [{ caption: 'First' }, { by: 'noor', media: { duration: 1 }, liked_by: ['ada', 'sam.2'] }],
    });
    const [first, second] = videos.all().slice(-2);
    const [ada, noor, , sam] = accounts.all();
    expect(first).toMatchObject({ account_id: ada?.id, caption: 'First', likes: 0, media: { duration: 15 } });
    expect(second).toMatchObject({
      account_id: noor?.id,
      likes: 2,
      liked_by: [ada?.id, sam?.id],
      media: { duration: 1, width: 720 },
    });
    expect(second?.url).toBe(`/v/${second?.shortcode}`);
    expect(noor?.post_count).toBe(videos.all().filter(({ account_id }) => account_id === noor?.id).length);
  });

  it('changes the seeded video with the same id', () => {
    const [before] = openFilled().videos.all();
    const id = before?.id ?? '';
    const { videos } = openFilled({ videos: [{ id, meta: { contains_ad: true }, pinned: false }] });
    expect(videos.find(id)).toEqual({ ...before, pinned: false, meta: { contains_ai: false, contains_ad: true } });
    expect(videos.all()).toHaveLength(24);
  });

  it('accepts any id for a video, even if it is not a snowflake', () => {
    expect(openFilled({ videos: [{ id: 'odd one' }] }).videos.find('odd one')).toMatchObject({ url: '/v/odd%20one' });
  });

  it('reports an invalid option at the start of the server, not at the first request', async () => {
    await expect(createReferenceServer({ videos: [{ by: 'nobody' }] })).rejects.toThrow('videos[0].by is "nobody"');
    await expect(createReferenceServer({ accounts: [{ username: 'ada', id: '5' }] })).rejects.toThrow('leave it out');
  });

  it('refuses a video by an unknown account, and lists the known ones', () => {
    expect(() => openFilled({ videos: [{}, { by: 'nobody' }] })).toThrow(
      'videos[1].by is "nobody"; allowed: ada, noor, mei_lin, sam.2, rune@clips.example, or the username of an account that you add',
    );
  });

  it('reports all problems at once, each of them once', () => {
    const id = openFilled().accounts.findByUsername('noor')?.id;
    const accounts = [{ username: 'ada', id: '5' }, { username: 'kim', id }, { username: 'lee' }];
    // `kim` counts as known although that account has a problem itself. Usernames are compared without case.
    const videos = [{ by: 'kim' }, { by: 'none', liked_by: ['ADA', 'LEE', 'nil'] }, { bookmarked_by: ['no', 'non'] }];
    let problems: readonly string[] = [];
    try {
      openFilled({ accounts, videos });
    } catch (error) {
      if (error instanceof JsonFileError) problems = error.problems;
    }
    const expected = [
      /^accounts\[0\]\.id is "5"; ada has the id/,
      /^accounts\[1\]\.id is "\d+"; that is the id of noor: take another/,
      /^videos\[1\]\.by is "none"; allowed: ada, .*, kim, or the username of an account that you add$/,
      /^videos\[1\]\.liked_by\[2\] is "nil"; /,
      /^videos\[2\]\.bookmarked_by\[0\] is "no"; /,
      /^videos\[2\]\.bookmarked_by\[1\] is "non"; /,
    ];
    expect(problems).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });
});
