import { gzipSync } from 'node:zlib';
import { configDocument } from '../../endpoints/config.ts';
import { webAppPage } from '../../web-app.ts';
import {
  type Answer,
  configPath,
  currentVersion,
  discoveryPath,
  type HostContext,
  type KindsByName,
  loopsByConfig,
  loopsByNodeInfo,
  type Site,
} from '../kind.ts';
import { discovery, html, json, loopsState, nodeInfo, nodeInfoPages, raw, redirect } from '../site.ts';

const notFound = json({ message: 'Not Found.' }, 404);
const failure = json({ message: 'Server Error' }, 500);

/** A current server with `answer` applied to the text of its config. */
function configSentAs(answer: (text: string) => Answer): (host: HostContext) => Site {
  return (host) => {
    const state = loopsState(host);
    return { state, pages: { [configPath]: answer(JSON.stringify(configDocument(state))) } };
  };
}

/** A current server with these top-level values in its config, of any type. */
function configWith(changes: Record<string, unknown>): (host: HostContext) => Site {
  return (host) => {
    const state = loopsState(host);
    return { state, pages: { [configPath]: json({ ...configDocument(state), ...changes }) } };
  };
}

/** An old server with this version and without these config keys. */
function olderVersion(version: string, missing: ReturnType<typeof loopsState>['missingConfigKeys']) {
  return (host: HostContext): Site => ({
    state: loopsState(host, { config: { app: { version } }, missingConfigKeys: missing }),
  });
}

/** Loops servers: current, old and odd ones. */
export const loopsKinds: KindsByName = {
  loops: {
    imitates: 'a current Loops server that follows the specification',
    expect: loopsByConfig(),
    weight: 20,
    site: (host) => ({ state: loopsState(host) }),
  },
  'loops-live': {
    imitates: 'a current Loops server as it ships: `hasKlipy`, a 2.1 link, the usual robots.txt',
    expect: loopsByConfig(),
    weight: 10,
    site: (host) => ({ state: loopsState(host, { profile: 'live' }) }),
  },
  'loops-klipy': {
    imitates: 'a server with `hasKlipy: true`, the key that names the brand of the GIF provider',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host, { profile: 'live', config: { hasGifProvider: true } }) }),
  },
  'loops-curated': {
    imitates: 'a server with `registration: false` and the mode `curated`',
    expect: loopsByConfig(),
    weight: 3,
    site: (host) => ({ state: loopsState(host, { config: { registration: false, registration_mode: 'curated' } }) }),
  },
  'loops-federation-off': {
    imitates: 'a server with federation off, which hides NodeInfo',
    expect: loopsByConfig(),
    weight: 3,
    site: (host) => ({ state: loopsState(host, { profile: 'live', config: { federation: false } }) }),
  },
  'loops-beta-11': {
    imitates: 'beta.11, whose config has no `account` yet',
    expect: loopsByConfig('1.0.0-beta.11'),
    site: olderVersion('1.0.0-beta.11', ['account']),
  },
  'loops-beta-9': {
    imitates: 'beta.9, before the modes of registration, Starter Kits, Atom feeds and the GIF provider',
    expect: loopsByConfig('1.0.0-beta.9'),
    site: olderVersion('1.0.0-beta.9', ['account', 'registration_mode', 'starterKits', 'atomFeeds', 'hasGifProvider']),
  },
  'loops-beta-6': {
    imitates: 'beta.6, the first with config: app, media, fyf, registration and federation',
    expect: loopsByConfig('1.0.0-beta.6'),
    site: olderVersion('1.0.0-beta.6', [
      'account',
      'registration_mode',
      'starterKits',
      'atomFeeds',
      'hasGifProvider',
      'pushNotifications',
    ]),
  },
  'loops-no-config': {
    imitates: 'beta.5, which answers config with a 404 in JSON',
    expect: loopsByNodeInfo('1.0.0-beta.5'),
    weight: 3,
    site: (host) => ({
      state: loopsState(host, { config: { app: { version: '1.0.0-beta.5' } } }),
      pages: { [configPath]: notFound },
    }),
  },
  'loops-alpha': {
    imitates: 'an alpha, which answers config with 200 and its web app',
    expect: loopsByNodeInfo('1.0.0-alpha.3'),
    site: (host) => ({
      state: loopsState(host, { profile: 'live', config: { app: { version: '1.0.0-alpha.3' } } }),
      pages: { [configPath]: html(webAppPage('Loops')) },
    }),
  },
  'loops-localhost-url': {
    imitates: 'a server whose `app.url` was left at https://localhost',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host, { config: { app: { url: 'https://localhost' } } }) }),
  },
  'loops-version-mismatch': {
    imitates: 'a server whose NodeInfo still names the previous version',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host, { nodeInfo: { software: { version: '1.0.0-beta.13' } } }) }),
  },
  'loops-registration-mismatch': {
    imitates: 'a server whose registration is closed in config and open in NodeInfo',
    expect: loopsByConfig(),
    site: (host) => ({
      state: loopsState(host, { config: { registration: false }, nodeInfo: { openRegistrations: true } }),
    }),
  },
  'loops-software-mismatch': {
    imitates: 'a server that names Loops in config and Pixelfed in NodeInfo',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host, { nodeInfo: { software: { name: 'pixelfed', version: '0.12.6' } } }) }),
  },
  'loops-first-500': {
    imitates: 'a server with an empty settings cache: the first config call answers 500, the next 200',
    expect: loopsByConfig(),
    site: (host) => ({
      state: loopsState(host),
      faults: [{ route: configPath, fault: 'server-error', times: 1 }],
    }),
  },
  'loops-config-500': {
    imitates: 'a server whose config always answers 500 while NodeInfo works',
    expect: loopsByNodeInfo(),
    site: (host) => ({ state: loopsState(host), pages: { [configPath]: failure } }),
  },
  'loops-nodeinfo-500': {
    imitates: 'a server whose NodeInfo answers 500 while config works',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host), pages: { [discoveryPath]: failure } }),
  },
  'loops-wrong-types': {
    imitates: 'a server with fields of the wrong type around the one string that identifies it',
    expect: loopsByConfig(),
    site: configWith({
      app: { name: 7, url: null, description: ['text'], software: 'loops', version: currentVersion },
      media: { max_video_size: '40', max_video_duration: -1.5, allowed_video_formats: 'mp4' },
      fyf: 'yes',
      registration: 1,
      registration_mode: false,
      federation: 'true',
      pushNotifications: null,
      starterKits: {},
      atomFeeds: [],
      hasGifProvider: 0,
      account: [],
    }),
  },
  'loops-only-software': {
    imitates: 'a server whose config holds `app.software` and nothing else, and which has no NodeInfo',
    expect: { ...loopsByConfig(), version: null },
    site: () => ({ pages: { [configPath]: json({ app: { software: 'loops' } }) } }),
  },
  'loops-unknown-keys': {
    imitates: 'a later version with unknown keys and modes',
    expect: loopsByConfig(),
    site: configWith({ registration_mode: 'invitation', liveStreams: true, limits: { comments: { length: 500 } } }),
  },
  'loops-bom': {
    imitates: 'a server whose config starts with a byte order mark',
    expect: loopsByConfig(),
    site: configSentAs((text) => raw(`\uFEFF${text}`, 'application/json')),
  },
  'loops-content-type': {
    imitates: 'a server that sends its config as text/html',
    expect: loopsByConfig(),
    site: configSentAs((text) => raw(text, 'text/html; charset=utf-8')),
  },
  'loops-gzip': {
    imitates: 'a server that always compresses its config with gzip',
    expect: loopsByConfig(),
    site: configSentAs((text) => raw(gzipSync(text), 'application/json', 200, { 'content-encoding': 'gzip' })),
  },
  'loops-config-trailing-garbage': {
    imitates: 'a server with a warning printed after the JSON of its config; its NodeInfo works',
    expect: loopsByNodeInfo(),
    site: configSentAs((text) => raw(`${text}\nWarning: headers already sent`, 'application/json')),
  },
  'loops-config-too-large': {
    imitates: 'a server with a config of over 256 KiB; its NodeInfo works',
    expect: loopsByNodeInfo(),
    site: (host) => {
      const state = loopsState(host);
      return { state, pages: { [configPath]: json({ padding: 'x'.repeat(300 * 1024), ...configDocument(state) }) } };
    },
  },
  'loops-config-moved': {
    imitates: 'a server that redirects config within the host',
    expect: loopsByConfig(),
    site: (host) => {
      const state = loopsState(host);
      const moved = '/api/v1/config/index.json';
      return { state, pages: { [configPath]: redirect(moved, 302), [moved]: json(configDocument(state)) } };
    },
  },
  'loops-robots-forbids-all': {
    imitates: 'a server whose robots.txt forbids everything to everyone; config is public anyway',
    expect: loopsByConfig(),
    site: (host) => ({ state: loopsState(host, { robots: 'User-agent: *\nDisallow: /\n' }) }),
  },
  'loops-odd-counts': {
    imitates: 'a beta.5 whose NodeInfo has string, null and absurd counts, and a metadata list',
    expect: loopsByNodeInfo('1.0.0-beta.5'),
    site: (host) => ({
      pages: nodeInfoPages(
        host,
        nodeInfo('loops', '1.0.0-beta.5', {
          openRegistrations: 'FALSE',
          usage: { users: { total: '74234', activeMonth: null, activeHalfyear: 9e15 }, localPosts: '12' },
          metadata: [],
        }),
      ),
    }),
  },
  'loops-nodeinfo-other-host': {
    imitates: 'a server whose NodeInfo link points to another host of the same operator',
    expect: loopsByNodeInfo(),
    needsTarget: true,
    site: ({ target }) => ({
      pages: { [discoveryPath]: discovery(['2.0', `${target.url}/nodeinfo/2.0`]), [configPath]: notFound },
    }),
  },
  'loops-nodeinfo-over-http': {
    imitates: 'a beta.5 whose NodeInfo link is http: on the port of the domain',
    expect: loopsByNodeInfo('1.0.0-beta.5'),
    site: (host) => ({
      pages: {
        [discoveryPath]: discovery(['2.0', `http://${host.domain}/nodeinfo/2.0`]),
        '/nodeinfo/2.0': json(nodeInfo('loops', '1.0.0-beta.5')),
      },
    }),
  },
  'loops-config-stalls': {
    imitates: 'a server whose config never answers while NodeInfo does; a visit costs the response time-out',
    expect: loopsByNodeInfo(),
    weight: 0,
    site: (host) => ({ state: loopsState(host), faults: [{ route: configPath, fault: 'stall' }] }),
  },
};
