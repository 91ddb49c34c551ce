import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer({ profile: 'live', accounts: [{ username: 'kim', id: 'odd/one ö' }] });
});
afterAll(() => server.close());

const fetchAvatar = async (username: string) => {
  const account = server.state.data.accounts.findByUsername(username);
  const response = await fetch(server.url + account?.avatar);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const renameAda = (name: string) => {
  const id = server.state.data.accounts.findByUsername('ada')?.id ?? '';
  server.state.data.accounts.update(id, { name });
};

describe('GET /media/avatars/{file}', () => {
  it('draws the first character of the name, in any script', async () => {
    expect((await fetchAvatar('mei_lin')).text).toContain('>林</text>');
    expect((await fetchAvatar('noor')).text).toContain('>N</text>');
  });

  it('draws an avatar for an account whose id is not a number', async () => {
    expect(await fetchAvatar('kim')).toMatchObject({ status: 200, text: expect.stringContaining('>k</text>') });
  });

  it('escapes the first character of the name, and omits an invisible one', async () => {
    for (const [name, shown] of [
      ['<script>', '&#60;'],
      ['&amp;', '&#38;'],
      ['\u0000zero', ''],
      ['\ud800', ''],
      ['', ''],
      ['🦉 owl', '🦉'],
    ] as const) {
      renameAda(name);
      const { status, text, headers } = await fetchAvatar('ada');
      expect([name, status, /<text[^>]*>(.*)<\/text>/.exec(text)?.[1]]).toEqual([name, 200, shown]);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'");
    }
    renameAda('Ada');
  });
});

describe('GET /media/videos/{file}', () => {
  it('draws a thumbnail with the size of the video', async () => {
    const localVideos = server.state.data.videos.all().filter(({ is_local }) => is_local);
    expect(localVideos.length).toBeGreaterThan(1);
    for (const { id, media } of localVideos) {
      const text = await (await fetch(`${server.url}/media/videos/${id}.svg`)).text();
      expect(text).toContain(`width="${media.width}" height="${media.height}"`);
    }
  });

  it('draws a thumbnail even if a test removed the size of the video', async () => {
    const [video] = server.state.data.videos.all();
    const wrong: object = { media: null };
    server.state.data.videos.update(video?.id ?? '', wrong);
    expect((await fetch(`${server.url}/media/videos/${video?.id}.svg`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/v1/video/${video?.id}`)).status).toBe(200);
  });
});

describe('GET /media', () => {
  it('responds with 404 for an unknown file, and never with the web app', async () => {
    const [video] = server.state.data.videos.all();
    for (const path of ['avatars/1.svg', 'avatars/.svg', `videos/${video?.id}.m3u8`, 'videos/1']) {
      const response = await fetch(`${server.url}/media/${path}`);
      expect([path, response.status, await response.json()]).toEqual([path, 404, { message: 'Not Found.' }]);
    }
  });
});
