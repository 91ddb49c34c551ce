import { describe, expect, it } from 'vitest';
import { readWeb } from './read-web.ts';
import { serveMastodon } from './servers/mastodon.ts';

const read = (url: string, context = {}) => readWeb({ type: 'mastodon-peers', url }, context);

describe('mastodon-peers', () => {
  it('yields one item per entry, in order, repeated hosts included', async () => {
    const { url, paths } = await serveMastodon(['a.example', 'b.example', 'a.example']);
    const { domains, end } = await read(url);
    expect(domains).toEqual(['a.example', 'b.example', 'a.example']);
    expect(paths()).toEqual(['/api/v1/instance/peers']);
    expect(end).toMatchObject({ outcome: 'complete', why: null, requests: 2, bytes: 37 });
  });

  it('normalises hosts and refuses entries that are not domains, with their positions', async () => {
    const { url } = await serveMastodon([
      'Pixelfed.Example.',
      '@kopiti.example',
      'x.example:443',
      'bücher.example',
      'xn--bcher-kva.example',
      'under_score.example',
      'a.example b.example',
      'localhost',
      '127.0.0.1',
      null,
      '',
      '😀.example',
    ]);
    const { domains, refused } = await read(url);
    expect(domains).toEqual([
      'pixelfed.example',
      'kopiti.example',
      'x.example',
      'xn--bcher-kva.example',
      'xn--bcher-kva.example',
      'xn--e28h.example',
    ]);
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [6, 'bad-label'],
      [7, 'two-hosts'],
      [8, 'single-label'],
      [9, 'ip-literal'],
      [10, 'bad-record'],
      [11, 'empty'],
    ]);
  });

  it('reads the list of objects that GoToSocial sends', async () => {
    const { url } = await serveMastodon([{ domain: 'a.example' }, { domain: 'b.example', suspended_at: '2024' }]);
    expect((await read(url)).domains).toEqual(['a.example', 'b.example']);
  });

  it('sends one conditional request for an unchanged list, and keeps its ETag', async () => {
    const server = await serveMastodon(['a.example']);
    const { end } = await read(server.url);
    expect(end.etag).toMatch(/^W\/"/);
    const again = await read(server.url, { previous: end });
    expect(again.domains).toEqual([]);
    expect(again.end).toMatchObject({ outcome: 'unchanged', etag: end.etag, bytes: 0 });
    expect(server.paths()).toHaveLength(2);
  });

  it.each([
    ['limited', 401],
    ['off', 404],
    ['gotosocial-closed', 401],
  ] as const)('fails, and names the status and the cure, for a server whose list is %s', async (mode, status) => {
    const { url } = await serveMastodon([], mode);
    await expect(read(url)).rejects.toMatchObject({
      name: 'SourceError',
      kind: 'failure',
      message: `The source mastodon-peers ${url} does not publish its peers (status ${status}); name another server, or switch the source off ("enabled": false).`,
    });
  });

  it('is complete with an empty list', async () => {
    const { url } = await serveMastodon([]);
    expect(await read(url)).toMatchObject({ domains: [], end: { outcome: 'complete' } });
  });

  it('describes the error document of a server', async () => {
    const { url } = await serveMastodon({ error: 'Try later', code: 7 });
    await expect(read(url)).rejects.toThrow(/answers with an error: Try later; check that/);
  });
});
