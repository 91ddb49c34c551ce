import { describe, expect, it } from 'vitest';
import { readWeb } from './read-web.ts';
import { servePeertube } from './servers/peertube.ts';

const hosts = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}.example`);

describe('peertube-follows', () => {
  it('yields the other servers of both lists, page by page', async () => {
    const server = await servePeertube(hosts('f', 130), hosts('g', 100));
    const { domains, end } = await readWeb({ type: 'peertube-follows', url: server.url });
    expect(domains).toEqual([...hosts('f', 130), ...hosts('g', 100)]);
    expect(end.outcome).toBe('complete');
    expect(server.paths()).toEqual([
      '/api/v1/server/followers?start=0&count=100&sort=createdAt',
      '/api/v1/server/followers?start=100&count=100&sort=createdAt',
      '/api/v1/server/following?start=0&count=100&sort=createdAt',
    ]);
  });

  it('reads the followed servers of a server without followers', async () => {
    const { url } = await servePeertube([], ['g.example']);
    expect((await readWeb({ type: 'peertube-follows', url })).domains).toEqual(['g.example']);
  });
});
