import {
  configPath,
  discoveryPath,
  type HostContext,
  type KindsByName,
  otherByConfig,
  otherByNodeInfo,
  type Site,
} from '../kind.ts';
import { discovery, html, json, nodeInfo, nodeInfoPages, otherSite, schema } from '../site.ts';

const documentPath = '/nodeinfo/2.0';

/** A config as PeerTube sends it: a large object without `app`. */
function peerTubeConfig(host: HostContext): unknown {
  const plugins = Array.from({ length: 60 }, (_, index) => ({
    name: `plugin-${index}`,
    version: '1.0.0',
    description: 'A plugin with a description of some length, as they have.',
    clientScripts: {},
  }));
  return {
    client: { header: { hideInstanceName: false }, videos: { resumableUpload: { maxChunkSize: 0 } } },
    instance: { name: host.name, shortDescription: 'Videos', isNSFW: false, defaultClientRoute: '/videos/browse' },
    plugin: { registered: plugins, registeredExternalAuths: [] },
    signup: { allowed: true, allowedForCurrentIP: true, requiresEmailVerification: false },
    serverVersion: '7.3.0',
    video: { file: { extensions: ['.mp4', '.webm'] }, image: { size: { max: 4_194_304 } } },
  };
}

/** A server with these links in its discovery document; its NodeInfo document is at the usual path. */
function withLinks(software: string, version: string, links: (href: string) => unknown) {
  return (host: HostContext): Site => ({
    pages: {
      ...nodeInfoPages(host, nodeInfo(software, version)),
      [discoveryPath]: json({ links: links(host.url + documentPath) }),
    },
  });
}

/** A server with these changes to its NodeInfo document. */
function withDocument(software: string, version: unknown, changes: Record<string, unknown>) {
  return (host: HostContext): Site => ({ pages: nodeInfoPages(host, nodeInfo(software, version, changes)) });
}

/** Servers with other software, in the variants of NodeInfo and config that occur in practice. */
export const otherKinds: KindsByName = {
  mastodon: {
    imitates: 'Mastodon, the most common software',
    expect: otherByNodeInfo('mastodon', '4.5.2'),
    weight: 12,
    site: (host) => ({
      pages: nodeInfoPages(host, nodeInfo('mastodon', '4.5.2')),
      fallback: json({ error: 'Not Found' }, 404),
    }),
  },
  'mastodon-html-404': {
    imitates: 'Mastodon behind a proxy with error pages of its own',
    expect: otherByNodeInfo('mastodon', '4.3.8'),
    weight: 3,
    site: (host) => ({ ...otherSite(host, 'mastodon', '4.3.8'), fallback: html('<h1>404 Not Found</h1>', 404) }),
  },
  pixelfed: {
    imitates: 'Pixelfed, by the author of Loops, with counts as strings',
    expect: otherByNodeInfo('pixelfed', '0.12.6'),
    weight: 2,
    site: (host) => ({
      pages: nodeInfoPages(
        host,
        nodeInfo('pixelfed', '0.12.6', {
          usage: { users: { total: '2719', activeMonth: 80, activeHalfyear: 210 }, localPosts: '51234' },
        }),
        '/api/nodeinfo/2.0.json',
      ),
    }),
  },
  peertube: {
    imitates: 'PeerTube, which answers config with 200 and a large object without `app`',
    expect: otherByNodeInfo('peertube', '7.3.0'),
    weight: 2,
    site: (host) => ({
      pages: {
        ...nodeInfoPages(host, nodeInfo('peertube', '7.3.0'), '/nodeinfo/2.0.json'),
        [configPath]: json(peerTubeConfig(host)),
      },
    }),
  },
  'lemmy-links-object': {
    imitates: 'old Lemmy: `links` is a single object',
    expect: otherByNodeInfo('lemmy', '0.14.0'),
    site: withLinks('lemmy', '0.14.0', (href) => ({ rel: `${schema}/2.0`, href })),
  },
  'hubzilla-links-keyed': {
    imitates: 'Hubzilla: `links` is an object with the keys "0" and "1"',
    expect: otherByNodeInfo('hubzilla', '8.8.6'),
    site: withLinks('hubzilla', '8.8.6', (href) => ({
      '0': { rel: `${schema}/1.0`, href: `${href}-not` },
      '1': { rel: `${schema}/2.0`, href },
    })),
  },
  gotosocial: {
    imitates: 'GoToSocial, which can serve random counts on purpose',
    expect: otherByNodeInfo('gotosocial', '0.19.1+git-7a1ef2d'),
    site: withDocument('gotosocial', '0.19.1+git-7a1ef2d', {
      usage: { users: { total: 8_830_041_223 }, localPosts: 4_871_000_345 },
    }),
  },
  misskey: {
    imitates: 'Misskey: the 2.1 link before the 2.0 one',
    expect: otherByNodeInfo('misskey', '2025.9.0'),
    weight: 2,
    site: withLinks('misskey', '2025.9.0', (href) => [
      { rel: `${schema}/2.1`, href: href.replace('2.0', '2.1') },
      { rel: `${schema}/2.0`, href },
    ]),
  },
  pleroma: {
    imitates: 'Pleroma: 2.0 and 2.1, block lists in the metadata',
    expect: otherByNodeInfo('pleroma', '2.9.1'),
    site: (host) => {
      const rejected = Array.from({ length: 150 }, (_, index) => `blocked-${index}.example`);
      const document = nodeInfo('pleroma', '2.9.1', { metadata: { federation: { mrf_simple: { reject: rejected } } } });
      const path = '/nodeinfo/2.0.json';
      return {
        pages: {
          ...nodeInfoPages(host, document, path),
          [discoveryPath]: discovery(['2.0', host.url + path], ['2.1', `${host.url}/nodeinfo/2.1.json`]),
        },
      };
    },
  },
  diaspora: {
    imitates: 'diaspora*: the 1.0 link first',
    expect: otherByNodeInfo('diaspora', '0.9.0.0'),
    site: withLinks('diaspora', '0.9.0.0', (href) => [
      { rel: `${schema}/1.0`, href: href.replace('2.0', '1.0') },
      { rel: `${schema}/2.0`, href },
    ]),
  },
  wordpress: {
    imitates: 'WordPress with its own path for the document',
    expect: otherByNodeInfo('wordpress', '6.8.3'),
    site: (host) => otherSite(host, 'wordpress', '6.8.3', '/wp-json/activitypub/1.0/nodeinfo/2.0'),
  },
  'rel-https': {
    imitates: 'a server whose rel is written with https:',
    expect: otherByNodeInfo('writefreely', '0.15.1'),
    site: withLinks('writefreely', '0.15.1', (href) => [{ rel: `${schema}/2.0`.replace('http:', 'https:'), href }]),
  },
  'several-2.0-links': {
    imitates: 'a server with several 2.0 links, of which the first counts',
    expect: otherByNodeInfo('friendica', '2024.12'),
    site: (host) => ({
      pages: {
        [discoveryPath]: discovery(['2.0', `${host.url}/first`], ['2.0', `${host.url}/second`]),
        '/first': json(nodeInfo('friendica', '2024.12')),
        '/second': json(nodeInfo('loops', '1.0.0-beta.14')),
      },
    }),
  },
  'href-double-slash': {
    imitates: 'a server whose href has `//` in its path, and which answers that path alone',
    expect: otherByNodeInfo('firefish', '20240206'),
    site: (host) => otherSite(host, 'firefish', '20240206', '//nodeinfo/2.0'),
  },
  'href-with-query': {
    imitates: 'a server whose href carries a query',
    expect: otherByNodeInfo('bonfire', '1.0.0'),
    site: (host) => otherSite(host, 'bonfire', '1.0.0', '/nodeinfo?schema=2.0&format=json'),
  },
  'href-moved': {
    imitates: 'a server that redirects the NodeInfo document within the host',
    expect: otherByNodeInfo('mobilizon', '5.1.0'),
    site: (host) => ({
      pages: {
        [discoveryPath]: discovery(['2.0', `${host.url}/nodeinfo/2.0`]),
        '/nodeinfo/2.0': { status: 301, headers: { location: `${host.url}/nodeinfo/2.0/` }, body: '' },
        '/nodeinfo/2.0/': json(nodeInfo('mobilizon', '5.1.0')),
      },
    }),
  },
  'nodeinfo-bom': {
    imitates: 'a server whose discovery and document start with a byte order mark',
    expect: otherByNodeInfo('epicyon', '1.6.0'),
    site: (host) => {
      const pages = nodeInfoPages(host, nodeInfo('epicyon', '1.6.0'));
      for (const page of Object.values(pages)) page.body = `\uFEFF${page.body}`;
      return { pages };
    },
  },
  'nodeinfo-content-type': {
    imitates: 'a server that sends both documents as text/plain',
    expect: otherByNodeInfo('snac', '2.83'),
    site: (host) => {
      const pages = nodeInfoPages(host, nodeInfo('snac', '2.83'));
      for (const page of Object.values(pages)) page.headers = { 'content-type': 'text/plain' };
      return { pages };
    },
  },
  'nodeinfo-invalid-utf8': {
    imitates: 'a server with bytes in its NodeInfo document that are not UTF-8, outside the fields that matter',
    expect: otherByNodeInfo('friendica', '2025.07'),
    site: (host) => ({
      ...otherSite(host, 'friendica', '2025.07'),
      faults: [{ route: documentPath, fault: 'invalid-utf8' }],
    }),
  },
  'nodeinfo-duplicate-keys': {
    imitates: 'a server with every key of its NodeInfo document twice, the right one last',
    expect: otherByNodeInfo('funkwhale', '1.4.0'),
    site: (host) => ({
      ...otherSite(host, 'funkwhale', '1.4.0'),
      faults: [{ route: documentPath, fault: 'duplicate-keys' }],
    }),
  },
  'nodeinfo-first-503': {
    imitates: 'a server whose discovery answers one 503, then works',
    expect: otherByNodeInfo('castopod', '1.13.0'),
    site: (host) => ({
      ...otherSite(host, 'castopod', '1.13.0'),
      faults: [{ route: discoveryPath, fault: 'server-error', status: 503, times: 1 }],
    }),
  },
  'nodeinfo-odd-types': {
    imitates: 'a server with `version: 2.0` as a number, `usage` and `metadata` as lists and no services',
    expect: otherByNodeInfo('takahe', '0.11.0'),
    site: withDocument('takahe', '0.11.0', {
      version: 2.0,
      usage: [],
      metadata: [],
      services: undefined,
      openRegistrations: 'FALSE',
    }),
  },
  'nodeinfo-capitals': {
    imitates: 'a server with capitals and a space in its software name',
    expect: otherByNodeInfo('My Fedi Server', '0.1'),
    site: (host) => otherSite(host, 'My Fedi Server', '0.1'),
  },
  'nodeinfo-version-number': {
    imitates: 'a server whose software version is a number, and so unknown',
    expect: otherByNodeInfo('microblogpub', null),
    site: withDocument('microblogpub', 2, {}),
  },
  'config-redirected-nodeinfo-here': {
    imitates: 'a server that redirects config to another host and answers NodeInfo itself',
    expect: otherByNodeInfo('sharkey', '2025.4.4'),
    needsTarget: true,
    site: (host) => ({
      pages: {
        ...nodeInfoPages(host, nodeInfo('sharkey', '2025.4.4')),
        [configPath]: { status: 302, headers: { location: `${host.target.url}${configPath}` }, body: '' },
      },
    }),
  },
  'config-gone-nodeinfo-here': {
    imitates: 'a server that answers config with 410 and NodeInfo as usual',
    expect: otherByNodeInfo('bookwyrm', '0.7.5'),
    site: (host) => ({
      pages: { ...nodeInfoPages(host, nodeInfo('bookwyrm', '0.7.5')), [configPath]: json({ error: 'Gone' }, 410) },
    }),
  },
  'other-by-config': {
    imitates: 'a server with a Loops-like config that names another software; its NodeInfo must not be requested',
    expect: otherByConfig('reels', '0.3.0'),
    site: (host) => ({
      pages: {
        ...nodeInfoPages(host, nodeInfo('loops', '1.0.0-beta.14')),
        [configPath]: json({ app: { name: 'Reels', url: host.url, software: 'reels', version: '0.3.0' } }),
      },
    }),
  },
};
