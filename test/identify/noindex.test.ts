import { describe, expect, it } from 'vitest';
import { asksNoindex } from '../../src/identify/noindex.ts';
import { CONFIG, json, status, visitScript } from './scripted-visit.ts';

describe('asksNoindex', () => {
  it.each([
    ['noindex', true],
    ['NoIndex, nofollow', true],
    ['none', true],
    ['nofollow, noindex', true],
    ['Loopscout: noindex', true],
    ['otherbot: nofollow, loopscout: none', true],
    ['max-snippet: -1, noindex', true],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', true],
    ['otherbot: noindex', false],
    ['otherbot: noindex, nofollow', false],
    ['nofollow', false],
    ['all', false],
    ['noindexing', false],
    ['', false],
    [undefined, false],
  ])('of %j is %j', (header, expected) => {
    expect(asksNoindex(header, 'Loopscout')).toBe(expected);
  });

  it('reads a repeated header', () => {
    expect(asksNoindex(['nofollow', 'noindex'], 'Loopscout')).toBe(true);
  });

  it('applies a name to its own line only', () => {
    expect(asksNoindex(['otherbot: nofollow', 'noindex'], 'Loopscout')).toBe(true);
    expect(asksNoindex(['loopscout: nofollow', 'otherbot: noindex'], 'Loopscout')).toBe(false);
  });
});

describe('a visit', () => {
  const config = json({ app: { software: 'loops' }, federation: false }) as { status: number; body: string };

  it.each([
    ['asks not to be published', { 'x-robots-tag': 'noindex' }, true],
    ['says nothing of it', {}, false],
  ] as const)('notes that a host %s', async (_what, headers, expected) => {
    const { visit } = await visitScript({ [CONFIG]: { ...config, headers } });
    expect(visit).toMatchObject({ verdict: 'loops', host: { noindex: expected } });
  });

  it.each([
    ['a 404', status(404, { 'x-robots-tag': 'noindex' }), true],
    ['a redirect', status(301, { 'x-robots-tag': 'noindex' }), true],
    ['a 503', status(503, { 'x-robots-tag': 'noindex' }), null],
  ])('counts the header on %s, except on a server error', async (_what, reply, expected) => {
    const { visit } = await visitScript({ [CONFIG]: reply, '/.well-known/nodeinfo': status(404) });
    expect(visit.host.noindex).toBe(expected);
  });

  it('keeps the signal of one answer when the next lacks it', async () => {
    const asking = status(404, { 'x-robots-tag': 'none' });
    const { visit } = await visitScript({ [CONFIG]: asking, '/.well-known/nodeinfo': json({ links: [] }) });
    expect(visit.host.noindex).toBe(true);
  });

  it('is undecided without a document', async () => {
    const { visit } = await visitScript({ [CONFIG]: status(404), '/.well-known/nodeinfo': status(404) });
    expect(visit.host.noindex).toBeNull();
  });

  it.each([
    ['read NodeInfo', {}, { software: { name: 'loops' } }, true],
    ['found another document where NodeInfo should be', {}, { error: 'busy' }, false],
    ['had no NodeInfo to read', { federation: false }, null, true],
    ['found no NodeInfo', {}, null, false],
  ])('that %s reports whether identification is complete', async (_what, more, nodeInfo, isAll) => {
    const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
    const { visit } = await visitScript({
      [CONFIG]: json({ app: { software: 'loops' }, ...more }),
      '/.well-known/nodeinfo': json({ links: [{ rel, href: 'https://server.example/nodeinfo/2.0' }] }),
      '/nodeinfo/2.0': nodeInfo === null ? status(404) : json(nodeInfo),
    });
    expect(visit.absentNoindexSignals?.includes('earlier')).toBe(isAll);
  });

  it.each([
    ['closes the site to us by name', 'User-agent: Loopscout\nDisallow: /', true],
    ['closes the config endpoint to us by name', 'User-agent: loopscout\nDisallow: /api/', true],
    ['closes something else to us by name', 'User-agent: Loopscout\nDisallow: /private/', false],
    ['closes the site to another by name', 'User-agent: otherbot\nDisallow: /', false],
    ['closes the site to everyone, as a stock file does with its API', 'User-agent: *\nDisallow: /', false],
  ])('counts a robots.txt that %s', async (_what, robots, expected) => {
    const { visit } = await visitScript({
      '/robots.txt': { status: 200, body: robots },
      [CONFIG]: config,
      '/.well-known/nodeinfo': status(404),
    });
    expect(visit.host.noindex).toBe(expected);
  });

  it.each([
    [{ private: true }, true],
    [{ private: '1' }, true],
    [{ hide_in_statistics: 1 }, true],
    [{ private: false, hide_in_statistics: 'no' }, false],
    [{ nodeName: 'private' }, false],
    [[], false],
    [null, false],
  ])('reads the NodeInfo metadata: %j', async (metadata, expected) => {
    const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
    const { visit } = await visitScript({
      [CONFIG]: status(404),
      '/.well-known/nodeinfo': json({ links: [{ rel, href: 'https://server.example/nodeinfo/2.0' }] }),
      '/nodeinfo/2.0': json({ software: { name: 'loops' }, metadata }),
    });
    expect(visit).toMatchObject({ verdict: 'loops', host: { noindex: expected } });
  });
});
