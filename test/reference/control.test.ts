import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReferenceServer, exampleApp, giveToken, type ReferenceServer } from '../../src/reference/index.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer({
    seed: 5,
    lifetimes: { token: 3_600 },
    control: { token: 'of-the-test', afterReset: () => ({ token: giveToken(server).access_token }) },
  });
});
afterAll(() => server?.close());
beforeEach(() => ask('POST', '/reset'));

/** The keys of the answers; each answer has some of them. */
interface Answered {
  problems: string[];
  now: string;
  token: string;
  accounts: { id: string; username: string }[];
  videos: { id: string; caption: string }[];
}

async function ask<Body = Answered>(method: string, path: string, body?: unknown, token = 'of-the-test') {
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const answer = await fetch(`${server.control?.url}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Body };
}
const rule = { route: '/api/v1/config', fault: 'server-error', status: 503 };
const configStatus = async () => (await fetch(`${server.url}/api/v1/config`)).status;
const selfStatus = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/api/v1/account/info/self`, { headers })).status;
};

describe('the control', () => {
  it.each([
    ['POST', '/reset'],
    ['GET', '/requests'],
    ['GET', '/state'],
    ['PUT', '/faults'],
    ['GET', '/unknown'],
  ])('refuses %s %s without its token', async (method, path) => {
    expect(await ask(method, path, method === 'PUT' ? [rule] : undefined, 'another')).toMatchObject({ status: 401 });
    expect(await configStatus()).toBe(200);
  });

  it('has a random token unless one is given, and is absent unless it is asked for', async () => {
    await using one = await createReferenceServer({ control: {} });
    await using other = await createReferenceServer({ control: {} });
    expect(one.control?.token).toMatch(/^[\w-]{43}$/);
    expect(other.control?.token).not.toBe(one.control?.token);
    await using without = await createReferenceServer();
    expect(without.control).toBeNull();
  });

  it('ends with its server', async () => {
    const closed = await createReferenceServer({ control: {} });
    const { url } = closed.control ?? {};
    await closed.close();
    await expect(fetch(`${url}/requests`)).rejects.toThrow();
  });

  it('sets and removes faults', async () => {
    expect((await ask('GET', '/faults')).body).toEqual([]);
    expect((await ask('PUT', '/faults', [rule])).body).toEqual([rule]);
    expect(await configStatus()).toBe(503);
    expect((await ask('DELETE', '/faults')).body).toEqual([]);
    expect(await configStatus()).toBe(200);
  });

  it.each<[what: string, method: string, path: string, body: unknown, problem: string]>([
    ['an invalid rule', 'PUT', '/faults', [{ ...rule, status: 200 }], 'faults[0].status is 200'],
    ['faults that are not a list', 'PUT', '/faults', rule, 'faults is {'],
    ['an unknown setting', 'PATCH', '/state', { confg: {} }, 'confg is not a known key'],
    ['an unknown account', 'PATCH', '/state', { autoApprove: 'nobody' }, 'autoApprove is "nobody"'],
    ['a video by nobody', 'PATCH', '/state', { videos: [{ by: 'nobody' }] }, 'videos[0].by is "nobody"'],
    ['a time that is none', 'PUT', '/clock', { now: 'noon' }, 'now is "noon"'],
  ])('answers %s with 422 and its problems, and changes nothing', async (_what, method, path, body, problem) => {
    const before = (await ask('GET', '/state')).body;
    const answer = await ask(method, path, body);
    expect([answer.status, answer.body.problems]).toEqual([422, [expect.stringContaining(problem)]]);
    expect((await ask('GET', '/state')).body).toEqual(before);
  });

  it('shows the requests received so far, and forgets them on demand', async () => {
    await fetch(`${server.url}/api/v1/apps?a=1`, {
      method: 'POST',
      body: new URLSearchParams({ client_name: 'Mine' }),
    });
    expect((await ask('GET', '/requests')).body).toMatchObject([
      { method: 'POST', target: '/api/v1/apps?a=1', status: 422, body: { client_name: 'Mine' } },
    ]);
    expect((await ask('DELETE', '/requests')).body).toEqual([]);
    expect((await ask('GET', '/requests')).body).toEqual([]);
  });

  it('keeps the newest thousand requests', async () => {
    for (let index = 0; index < 1_001; index += 1) await server.app.inject(`/robots.txt?${index}`);
    const { body } = await ask<{ target: string }[]>('GET', '/requests');
    expect([body.length, body[0]?.target, body.at(-1)?.target]).toEqual([1_000, '/robots.txt?1', '/robots.txt?1000']);
  });

  it('changes settings, accounts and videos, and shows what clients changed', async () => {
    await ask('PATCH', '/state', {
      profile: 'live',
      config: { registration: false },
      accounts: [{ username: 'kim', password: 'secret' }],
      videos: [{ by: 'kim', caption: 'Mine' }],
    });
    const config = await (await fetch(`${server.url}/api/v1/config`)).json();
    expect(config).toMatchObject({ registration: false, hasKlipy: false, app: { software: 'loops' } });
    const headers = { authorization: `Bearer ${giveToken(server, { username: 'kim' }).access_token}` };
    const { videos } = (await ask('GET', '/state')).body;
    const id = videos.find(({ caption }) => caption === 'Mine')?.id;
    await fetch(`${server.url}/api/v1/video/like/${id}`, { method: 'POST', headers });
    const state = (await ask('GET', '/state')).body;
    const kim = state.accounts.find(({ username }) => username === 'kim');
    expect(state.videos.find((video) => video.id === id)).toMatchObject({ liked_by: [kim?.id], likes: 1 });
    expect(JSON.stringify(state)).not.toContain('secret');
  });

  it('moves the clock, so that a token expires without waiting', async () => {
    const token = giveToken(server).access_token;
    expect(await selfStatus(token)).toBe(200);
    await ask('PUT', '/clock', { advanceSeconds: 3_601 });
    expect(await selfStatus(token)).toBe(401);
    const { now } = (await ask('PUT', '/clock', { now: '2030-01-01T00:00:00Z' })).body;
    expect(now).toMatch(/^2030-01-01T00:00:0/);
    expect((await ask('GET', '/clock')).body.now).toMatch(/^2030-01-01T00:00:/);
  });

  it('resets requests, faults, clock, settings and data, and answers what `afterReset` returns: the same token again', async () => {
    const first = (await ask('POST', '/reset')).body;
    const before = (await ask('GET', '/state')).body;
    await ask('PUT', '/faults', [rule]);
    await ask('PUT', '/clock', { advanceSeconds: 9_999 });
    await ask('PATCH', '/state', {
      profile: 'live',
      config: { app: { name: 'Other' } },
      accounts: [{ username: 'kim' }],
    });
    await configStatus();
    expect((await ask('POST', '/reset')).body).toEqual(first);
    expect((await ask('GET', '/state')).body).toEqual(before);
    expect((await ask('GET', '/requests')).body).toEqual([]);
    expect(Date.parse((await ask('GET', '/clock')).body.now)).toBeLessThan(Date.now() + 1_000);
    expect(await selfStatus(first.token)).toBe(200);
  });
});

describe('the same seed', () => {
  const secretsOf = async (options: Parameters<typeof createReferenceServer>[0]) => {
    await using started = await createReferenceServer(options);
    const registration = { client_name: 'Mine', redirect_uris: ['urn:ietf:wg:oauth:2.0:oob'] };
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(registration) };
    const app = (await (await fetch(`${started.url}/api/v1/apps`, request)).json()) as Record<string, unknown>;
    const { client_id, client_secret } = app;
    return [client_id, client_secret, exampleApp(started.state), giveToken(started)].map((each) =>
      JSON.stringify(each).replace(/"created_at":\d+/, ''),
    );
  };

  it.each(['spec', 'live'] as const)(
    'gives the same client ids, secrets and tokens, in the profile %s',
    async (profile) => {
      const secrets = await secretsOf({ profile, seed: 3 });
      expect(await secretsOf({ profile, seed: 3 })).toEqual(secrets);
      const others = await secretsOf({ profile, seed: 4 });
      for (const [index, secret] of others.entries()) expect(secret).not.toBe(secrets[index]);
    },
  );
});
