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
  ])('for the header %j is %j', (header, expected) => {
    expect(asksNoindex(header, 'Loopscout')).toBe(expected);
  });

  it('reads a repeated header', () => {
    expect(asksNoindex(['nofollow', 'noindex'], 'Loopscout')).toBe(true);
  });

  it('applies a user agent to its own header line only', () => {
    expect(asksNoindex(['otherbot: nofollow', 'noindex'], 'Loopscout')).toBe(true);
    expect(asksNoindex(['loopscout: nofollow', 'otherbot: noindex'], 'Loopscout')).toBe(false);
  });
});

describe('a visit', () => {
  const config = json({ app: { software: 'loops' }, federation: false }) as { status: number; body: string };

  it.each([
    ['with the header', { 'x-robots-tag': 'noindex' }, true],
    ['without the header', {}, false],
  ] as const)('records whether a host asks not to be published: %s', async (_what, headers, expected) => {
    const { visit } = await visitScript({ [CONFIG]: { ...config, headers } });
    expect(visit).toMatchObject({ verdict: 'loops', host: { noindex: expected } });
  });

  it.each([
    ['a 404', status(404, { 'x-robots-tag': 'noindex' }), true],
    ['a redirect', status(301, { 'x-robots-tag': 'noindex' }), true],
    ['a 503', status(503, { 'x-robots-tag': 'noindex' }), null],
  ])('reads the header of every response but a server error: %s', async (_what, reply, expected) => {
    const { visit } = await visitScript({ [CONFIG]: reply, '/.well-known/nodeinfo': status(404) });
    expect(visit.host.noindex).toBe(expected);
  });

  it('keeps the signal of one response when the next has none', async () => {
    const asking = status(404, { 'x-robots-tag': 'none' });
    const { visit } = await visitScript({ [CONFIG]: asking, '/.well-known/nodeinfo': json({ links: [] }) });
    expect(visit.host.noindex).toBe(true);
  });

  it('does not decide whether a host asks not to be published if it read no document', async () => {
    const { visit } = await visitScript({ [CONFIG]: status(404), '/.well-known/nodeinfo': status(404) });
    expect(visit.host.noindex).toBeNull();
  });

  it.each([
    ['reads NodeInfo', {}, { software: { name: 'loops' } }, true],
    ['finds another document in place of NodeInfo', {}, { error: 'busy' }, false],
    ['needs no NodeInfo', { federation: false }, null, true],
    ['finds no NodeInfo', {}, null, false],
  ])(
    'reports earlier signals as absent only if it read every document: a visit that %s',
    async (_what, more, nodeInfo, isComplete) => {
      const rel = 'http://nodeinfo.diaspora.software/ns/schema/2.0';
      const { visit } = await visitScript({
        [CONFIG]: json({ app: { software: 'loops' }, ...more }),
        '/.well-known/nodeinfo': json({ links: [{ rel, href: 'https://server.example/nodeinfo/2.0' }] }),
        '/nodeinfo/2.0': nodeInfo === null ? status(404) : json(nodeInfo),
      });
      expect(visit.absentNoindexSignals?.includes('earlier')).toBe(isComplete);
    },
  );

  it.each([
    ['forbids the site to Loopscout by name', 'User-agent: Loopscout\nDisallow: /', true],
    ['forbids the config endpoint to Loopscout by name', 'User-agent: loopscout\nDisallow: /api/', true],
    ['forbids another path to Loopscout by name', 'User-agent: Loopscout\nDisallow: /private/', false],
    ['forbids the site to another crawler by name', 'User-agent: otherbot\nDisallow: /', false],
    ['forbids the site to every crawler', 'User-agent: *\nDisallow: /', false],
  ])(
    'treats a robots.txt as a request not to be published only if it names Loopscout: one that %s',
    async (_what, robots, expected) => {
      const { visit } = await visitScript({
        '/robots.txt': { status: 200, body: robots },
        [CONFIG]: config,
        '/.well-known/nodeinfo': status(404),
      });
      expect(visit.host.noindex).toBe(expected);
    },
  );

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
