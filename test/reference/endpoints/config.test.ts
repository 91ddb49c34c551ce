import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deepMerge } from '../../../src/reference/deep-merge.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { storeToken } from '../store-token.ts';
import { jsonType, objectWith, valueAt } from '../value-at.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

const read = async () => (await fetch(`${server.url}/api/v1/config`)).json() as Promise<unknown>;

/** Each field: name, type in the specification, and a different value to set. */
const fields: [field: string, type: string, changed: unknown][] = [
  ['app.name', 'string', 'Clips ✨'],
  ['app.url', 'string', 'https://localhost'],
  ['app.description', 'string', ''],
  ['app.software', 'string', 'other'],
  ['app.version', 'string', '9.9.9'],
  ['media.max_video_size', 'integer', 2],
  ['media.max_video_duration', 'integer', 3],
  ['media.allowed_video_formats', 'array', ['webm', 'mp4']],
  ['fyf', 'boolean', false],
  ['registration', 'boolean', false],
  ['registration_mode', 'string', 'curated'],
  ['federation', 'boolean', false],
  ['pushNotifications', 'boolean', true],
  ['starterKits', 'boolean', false],
  ['atomFeeds', 'boolean', false],
  ['hasGifProvider', 'boolean', true],
  ['account.max_bio_length', 'integer', 4],
];

describe('GET /api/v1/config', () => {
  it.each(fields)('sends %s with its type and follows a change of it', async (field, type, changed) => {
    const before = server.state.config;
    const value = valueAt(await read(), field);
    expect([jsonType(value), value]).toEqual([type, valueAt(before, field)]);
    expect(changed).not.toEqual(value);
    server.state.config = deepMerge(before, objectWith(field, changed));
    expect(valueAt(await read(), field)).toEqual(changed);
    server.state.config = before;
  });

  it('is public, and the same with or without a token and for any Accept', async () => {
    const expected = await read();
    const headerSets: Record<string, string>[] = [
      storeToken(server.state, { username: 'ada' }),
      { authorization: 'Bearer unknown' },
      { accept: 'application/json' },
      { accept: 'text/html' },
    ];
    for (const headers of headerSets) {
      const response = await fetch(`${server.url}/api/v1/config`, { headers });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(await response.json()).toEqual(expected);
    }
  });

  it('sends limits as whole megabytes, seconds and characters, and formats as a list of names', async () => {
    expect(await read()).toMatchObject({
      media: { max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['mp4'] },
      account: { max_bio_length: 500 },
    });
  });

  it('omits the keys in missingConfigKeys', async () => {
    server.state.missingConfigKeys = ['account', 'atomFeeds'];
    const config = await read();
    server.state.missingConfigKeys = [];
    expect(config).not.toHaveProperty('account');
    expect(config).not.toHaveProperty('atomFeeds');
    expect(config).toHaveProperty('starterKits');
  });

  it('sends hasKlipy instead of hasGifProvider in the profile live, and follows a change of it', async () => {
    server.state.profile = 'live';
    const before = await read();
    server.state.config.hasGifProvider = true;
    const after = await read();
    server.state.config.hasGifProvider = false;
    server.state.profile = 'spec';
    expect([valueAt(before, 'hasKlipy'), valueAt(after, 'hasKlipy')]).toEqual([false, true]);
    expect(after).not.toHaveProperty('hasGifProvider');
  });

  it('answers HEAD like GET without the body', async () => {
    const full = await fetch(`${server.url}/api/v1/config`);
    const head = await fetch(`${server.url}/api/v1/config`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'));
  });
});
