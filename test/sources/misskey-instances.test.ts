import { describe, expect, it } from 'vitest';
import { readWeb } from './read-web.ts';
import { serveMisskey } from './servers/misskey.ts';

/** Instances of unknown software. */
const instancesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => [`h${index}.example`, null] as const);
const read = (url: string, settings = {}) => readWeb({ type: 'misskey-instances', url, ...settings });

describe('misskey-instances', () => {
  it('requests pages by POST until one is empty, and reports the software', async () => {
    const server = await serveMisskey({ instances: [['loops.example', 'loops'], ...instancesOf(249)] });
    const { domains, end } = await read(server.url);
    expect(domains.slice(0, 2)).toEqual(['loops.example loops', 'h0.example']);
    expect(new Set(domains).size).toBe(250);
    expect(server.requests.slice(1).map(({ body }) => JSON.parse(body).offset)).toEqual([0, 100, 200, 250]);
    expect(end).toMatchObject({ outcome: 'complete', requests: 5, etag: null });
  });

  it('advances by the received entries when a server returns fewer than requested', async () => {
    const { url } = await serveMisskey({ instances: instancesOf(70), cap: 30 });
    expect((await read(url)).domains).toHaveLength(70);
  });

  it('stops at a server that repeats a page forever', async () => {
    const server = await serveMisskey({ instances: instancesOf(300), isStuck: true });
    const { domains, end } = await read(server.url);
    expect(end).toMatchObject({ outcome: 'partial', why: 'page 2 repeats the page before it' });
    expect(domains).toHaveLength(200);
    expect(server.paths()).toHaveLength(2);
  });

  it('waits for the Retry-After of a busy server, and continues', async () => {
    const { url } = await serveMisskey({ instances: instancesOf(250), allowance: 2, retryAfter: '0' });
    const { domains, end } = await read(url);
    expect(domains).toHaveLength(250);
    expect(end.outcome).toBe('complete');
  });

  it('keeps the entries of earlier pages when a server sends a Retry-After of an hour', async () => {
    const { url } = await serveMisskey({ instances: instancesOf(250), allowance: 1, retryAfter: '3600' });
    const { domains, end } = await read(url);
    expect(domains).toHaveLength(100);
    expect(end).toMatchObject({ outcome: 'partial', why: 'answers with status 429' });
  });

  it('fails with the Retry-After when the first response has one of an hour', async () => {
    const { url } = await serveMisskey({ instances: [], allowance: 0, retryAfter: '3600' });
    await expect(read(url)).rejects.toMatchObject({ name: 'SourceError', retryAfterMs: 3_600_000 });
  });

  it('fails for a server that requires a login, and says so', async () => {
    const { url } = await serveMisskey({ instances: [], isClosed: true });
    await expect(read(url)).rejects.toThrow('does not publish its list of servers (status 401); name another');
  });

  it('stops at the page limit', async () => {
    const server = await serveMisskey({ instances: instancesOf(500) });
    const { domains, end } = await read(server.url, { maxPages: 3 });
    expect(domains).toHaveLength(300);
    expect(end).toMatchObject({ outcome: 'partial', why: 'it has more than 3 pages' });
    expect(server.paths()).toHaveLength(3);
  });
});
