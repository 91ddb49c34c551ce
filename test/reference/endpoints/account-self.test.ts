import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredAccount } from '../../../src/reference/data/accounts.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { storeToken } from '../store-token.ts';
import { jsonType, valueAt } from '../value-at.ts';

let server: ReferenceServer;
let headers: { authorization: string };
beforeAll(async () => {
  server = await createReferenceServer();
  headers = storeToken(server.state, { username: 'ada' });
});
afterAll(() => server.close());

const get = (init: RequestInit = { headers }) => fetch(`${server.url}/api/v1/account/info/self`, init);
const read = async () => ((await (await get()).json()) as { data: unknown }).data;
const storedAccount = (): StoredAccount => {
  const account = server.state.data.accounts.findByUsername('ada');
  if (account === undefined) throw new Error('There is no ada.');
  return account;
};

/** Fields that are sent as stored: name, type in the specification, and a different value to set. */
const fields: [field: keyof StoredAccount, type: string, changed: unknown][] = [
  ['name', 'string', 'Ada ✨'],
  ['bio', 'string', 'Another text.'],
  ['local', 'boolean', false],
  ['post_count', 'integer', 12_345],
  ['follower_count', 'integer', 0],
  ['following_count', 'integer', 99],
  ['remote_url', 'null', 'https://clips.example/@ada'],
  ['manually_approves_followers', 'boolean', true],
  ['links', 'array', []],
  ['has_playlists', 'boolean', false],
  ['is_admin', 'boolean', false],
  ['created_at', 'string', '2025-02-03T04:05:06+02:00'],
  ['likes_count', 'integer', 1],
];

describe('GET /api/v1/account/info/self', () => {
  it('wraps the account in an object with the single key data', async () => {
    const response = await get();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(Object.keys((await response.json()) as object)).toEqual(['data']);
  });

  it('sends every field of the account resource and no other', async () => {
    const names =
      'id name avatar username is_owner local bio post_count follower_count following_count url remote_url ' +
      'is_blocking manually_approves_followers links has_playlists is_admin created_at likes_count';
    expect(Object.keys((await read()) as object).sort()).toEqual(names.split(' ').sort());
  });

  it.each(fields)('sends %s with its type and follows a change of it', async (field, type, changed) => {
    const before = storedAccount();
    const value = valueAt(await read(), field);
    expect([jsonType(value), value]).toEqual([type, before[field]]);
    expect(changed).not.toEqual(value);
    server.state.data.accounts.update(before.id, { [field]: changed });
    expect(valueAt(await read(), field)).toEqual(changed);
    server.state.data.accounts.update(before.id, { [field]: before[field] });
  });

  it.each([
    ['url', 'string'],
    ['link', 'string'],
    ['is_verified', 'boolean'],
  ] as const)('sends links[].%s with its type and follows a change of it', async (field, type) => {
    const { id, links } = storedAccount();
    expect(links).toHaveLength(3);
    for (const index of links.keys()) {
      expect(jsonType(valueAt(await read(), `links[${index}].${field}`))).toBe(type);
    }
    const changed = { url: 'short', link: 'https://long.example/', is_verified: false };
    expect(changed[field]).not.toBe(links[0]?.[field]);
    server.state.data.accounts.update(id, { links: [changed] });
    expect(valueAt(await read(), `links[0].${field}`)).toBe(changed[field]);
    server.state.data.accounts.update(id, { links });
  });

  it('sends id: the id of the account of the token, a decimal string', async () => {
    expect(valueAt(await read(), 'id')).toBe(storedAccount().id);
    const ofNoor = await get({ headers: storeToken(server.state, { username: 'noor' }) });
    const { data } = (await ofNoor.json()) as { data: { id: string; username: string } };
    expect([data.id, data.username]).toEqual([server.state.data.accounts.findByUsername('noor')?.id, 'noor']);
    expect(data.id).toMatch(/^\d+$/);
  });

  it('sends username and follows a change of it', async () => {
    const { id } = storedAccount();
    expect(valueAt(await read(), 'username')).toBe('ada');
    server.state.data.accounts.update(id, { username: 'ada.lovelace' });
    expect(valueAt(await read(), 'username')).toBe('ada.lovelace');
    server.state.data.accounts.update(id, { username: 'ada' });
  });

  it('sends is_owner: true, because the account is the authenticated one', async () => {
    expect(valueAt(await read(), 'is_owner')).toBe(true);
  });

  it('sends is_blocking: null', async () => {
    expect(valueAt(await read(), 'is_blocking')).toBeNull();
  });

  it('sends url: the profile below the URL of the server', async () => {
    expect(valueAt(await read(), 'url')).toBe(`${server.url}/@ada`);
    const { url } = server.state;
    server.state.url = 'https://loops.example';
    expect(valueAt(await read(), 'url')).toBe('https://loops.example/@ada');
    server.state.url = url;
  });

  it('sends avatar: the URL of an existing image, or the value that a test has set', async () => {
    const avatar = String(valueAt(await read(), 'avatar'));
    const image = await fetch(avatar);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await image.text()).toMatch(/^<svg .*>A<\/text>\s*<\/svg>\s*$/s);
    const { id, avatar: before } = storedAccount();
    server.state.data.accounts.update(id, { avatar: 'https://cdn.example/a.png' });
    expect(valueAt(await read(), 'avatar')).toBe('https://cdn.example/a.png');
    server.state.data.accounts.update(id, { avatar: before });
  });

  it('sends a value of the wrong type when a test has set one', async () => {
    const { id, bio, avatar } = storedAccount();
    const wrong: object = { bio: 5, avatar: false };
    server.state.data.accounts.update(id, wrong);
    expect(await read()).toMatchObject(wrong);
    server.state.data.accounts.update(id, { bio, avatar });
  });

  it('forbids storing, and answers HEAD like GET without the body', async () => {
    const [full, head] = [await get(), await get({ method: 'HEAD', headers })];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, full.headers.get(name)]);
    }
    expect(full.headers.get('cache-control')).toBe('no-store');
  });
});

describe('GET /api/v1/account/info/self without permission', () => {
  const requestWith = async (authorization?: string) => {
    const response = await get({ headers: authorization === undefined ? {} : { authorization } });
    return {
      status: response.status,
      challenge: response.headers.get('www-authenticate') ?? '',
      body: (await response.json()) as unknown,
    };
  };

  it('responds with 401 and a challenge without an error code when there is no token', async () => {
    const { status, challenge, body } = await requestWith();
    expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
    expect(challenge).toMatch(/^Bearer realm="[^"]+"$/);
  });

  it('responds with 401 and invalid_token to a token that is unknown, expired or revoked', async () => {
    const { state } = server;
    const expired = storeToken(state, { username: 'ada', expiresAt: state.now() - 1 }).authorization;
    const revoked = storeToken(state, { username: 'ada' }).authorization;
    const token = state.data.tokens.find(revoked.slice('Bearer '.length), state.now());
    if (token === undefined) throw new Error('The token was not stored.');
    state.data.tokens.revoke(token);
    for (const authorization of ['Bearer unknown', expired, revoked]) {
      const { status, challenge, body } = await requestWith(authorization);
      expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
      expect(challenge).toContain('error="invalid_token"');
    }
  });

  it('responds with 403 and insufficient_scope to a token without the scope read', async () => {
    const { authorization } = storeToken(server.state, { username: 'ada', scopes: ['write', 'follow'] });
    const { status, challenge } = await requestWith(authorization);
    expect(status).toBe(403);
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain('scope="read"');
  });

  it('responds with 403 to a token of an app, which has no user', async () => {
    const { authorization } = storeToken(server.state, { username: null });
    const { status, challenge, body } = await requestWith(authorization);
    expect([status, body]).toEqual([403, { message: 'The access token was given to an app, without a user.' }]);
    expect(challenge).toContain('error="insufficient_scope"');
  });

  it('accepts a token only in the Authorization header', async () => {
    const token = headers.authorization.slice('Bearer '.length);
    const response = await fetch(`${server.url}/api/v1/account/info/self?access_token=${token}`);
    expect(response.status).toBe(401);
  });
});
