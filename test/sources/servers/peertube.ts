import { sendJson, serveList } from './serve-list.ts';

const HOME = 'tube.example';

/** GET /api/v1/server/followers and /following, with `start` and `count` (default 15, at most 100). */
export function servePeertube(followers: readonly string[], following: readonly string[]) {
  const actor = (host: string, id: number) => ({
    id,
    url: `https://${host}/accounts/peertube`,
    name: 'peertube',
    host,
    followingCount: 0,
    followersCount: 1,
    avatars: [],
  });
  return serveList(({ url }, response) => {
    const list = url.pathname.split('/').at(-1);
    const hosts = list === 'followers' ? followers : list === 'following' ? following : null;
    const start = Number(url.searchParams.get('start') ?? 0);
    const count = Number(url.searchParams.get('count') ?? 15);
    if (hosts === null || count > 100) {
      const problem = { type: 'about:blank', status: 400, detail: 'Incorrect request parameters: count' };
      return sendJson(response, problem, 400, { 'content-type': 'application/problem+json; charset=utf-8' });
    }
    const data = hosts.slice(start, start + count).map((host, index) => ({
      id: start + index + 1,
      score: 10_000,
      state: 'accepted',
      createdAt: '2024-01-01T00:00:00.000Z',
      updatedAt: '2024-01-01T00:00:00.000Z',
      follower: actor(list === 'followers' ? host : HOME, index),
      following: actor(list === 'followers' ? HOME : host, index),
    }));
    sendJson(response, { total: hosts.length, data });
  });
}
