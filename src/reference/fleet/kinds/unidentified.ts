import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FaultRule } from '../../faults/fault-rule.ts';
import { webAppPage } from '../../web-app.ts';
import {
  type Answer,
  configPath,
  discoveryPath,
  type HostContext,
  type Kind,
  noSoftware,
  onEveryProbe,
  type Site,
} from '../kind.ts';
import { discovery, html, json, loopsState, nodeInfo, nodeInfoPages, raw, redirect, schema } from '../site.ts';

const documentPath = '/nodeinfo/2.0';
const loopsDocument = nodeInfo('loops', '1.0.0-beta.14');

/** A server that stays unidentified with this discovery document, although a Loops document is at the usual path. */
function withDiscovery(
  name: string,
  imitates: string,
  reason: string | null,
  answer: (host: HostContext) => Answer,
  extraPages?: (host: HostContext) => Record<string, Answer>,
): Kind {
  const site = (host: HostContext): Site => ({
    pages: {
      [documentPath]: json(loopsDocument),
      '/nodeinfo/2.1': json(loopsDocument),
      ...extraPages?.(host),
      [discoveryPath]: answer(host),
    },
  });
  return { name, imitates, expect: noSoftware('unidentified', reason), site };
}

/** A server with a single 2.0 link with this href. */
function withHref(name: string, imitates: string, reason: string | null, href: (host: HostContext) => string): Kind {
  return withDiscovery(name, imitates, reason, (host) => discovery(['2.0', href(host)]));
}

/** A server with a valid link to a NodeInfo document, which is this answer. */
function withDocument(name: string, imitates: string, reason: string, answer: (host: HostContext) => Answer): Kind {
  return withDiscovery(
    name,
    imitates,
    reason,
    (host) => discovery(['2.0', host.url + documentPath]),
    (host) => ({ [documentPath]: answer(host) }),
  );
}

/** A server whose Loops document cannot be read because of this fault, in discovery or in the document. */
function withFault(name: string, imitates: string, { reason, rule }: { reason: string; rule: FaultRule }): Kind {
  const site = (host: HostContext): Site => ({ pages: nodeInfoPages(host, loopsDocument), faults: [rule] });
  return { name, imitates, expect: noSoftware('unidentified', reason), site };
}

/** More than the 256 KiB that a crawler should read. */
const padding = ' '.repeat(300 * 1024);

/** Hosts that answer but are not identified by any probe. */
export const unidentifiedKinds: Kind[] = [
  withDiscovery('only-2.1', 'a 2.1 link and no other', 'no-nodeinfo-2.0-link', (host) =>
    discovery(['2.1', `${host.url}/nodeinfo/2.1`]),
  ),
  withDiscovery('only-1.0', 'a 1.0 link and no other', 'no-nodeinfo-2.0-link', (host) =>
    discovery(['1.0', `${host.url}/nodeinfo/1.0`]),
  ),
  withDiscovery('links-empty', 'an empty list of links', 'no-nodeinfo-2.0-link', () => json({ links: [] })),
  withDiscovery('links-capitalised', 'links with the keys `Rel` and `Href`', 'no-nodeinfo-2.0-link', (host) =>
    json({ links: [{ Rel: `${schema}/2.0`, Href: host.url + documentPath }] }),
  ),
  withDiscovery('links-torn', 'rel and href in separate objects', null, (host) =>
    json({ links: [{ rel: `${schema}/2.0` }, { href: host.url + documentPath }] }),
  ),
  withDiscovery(
    'nodeinfo-at-well-known',
    'the NodeInfo document itself at the well-known path',
    'no-nodeinfo-2.0-link',
    () => json(loopsDocument),
  ),
  withDiscovery('discovery-list', 'a discovery document that is a list', null, (host) =>
    json([{ rel: `${schema}/2.0`, href: host.url + documentPath }]),
  ),
  withDiscovery('discovery-not-json', 'a discovery document cut off in the middle', 'discovery-not-json', () =>
    raw(`{"links":[{"rel":"${schema}/2.0","href":"htt`, 'application/json'),
  ),
  withDiscovery('discovery-too-large', 'a discovery document of over 256 KiB', 'body-too-large', (host) =>
    raw(padding + discovery(['2.0', host.url + documentPath]).body, 'application/json'),
  ),
  withDiscovery('discovery-503', 'discovery that answers 503 while config answers 404', 'nodeinfo-unavailable', () =>
    html('<h1>503 Service Unavailable</h1>', 503),
  ),
  withHref('href-dead', 'an href that answers 404', 'href-dead', (host) => `${host.url}/no-such-document`),
  withHref('href-no-scheme', 'an href without a scheme', 'href-invalid', (host) => host.domain + documentPath),
  withHref('href-relative', 'a relative href', 'href-invalid', () => documentPath),
  withHref(
    'href-scheme',
    'an href with the scheme ftp:',
    'href-invalid',
    (host) => `ftp://${host.name}${documentPath}`,
  ),
  withHref('href-other-port', 'an href on another port', 'href-refused', (host) => {
    return `https://${host.name}:${host.port === 8444 ? 8445 : 8444}${documentPath}`;
  }),
  withHref(
    'href-http',
    'an http: href on port 80, where nothing listens (needs port 80 of 127.0.0.1 to be free)',
    'href-dead',
    (host) => {
      return `http://${host.name}${documentPath}`;
    },
  ),
  {
    ...withDocument('href-redirected', 'an href that redirects to another host', 'href-redirected', (host) =>
      redirect(host.target.url + documentPath, 302),
    ),
    needsTarget: true,
  },
  withDocument('nodeinfo-not-json', 'a NodeInfo document that is the web app', 'nodeinfo-not-json', () =>
    html(webAppPage('Clips')),
  ),
  withDocument('nodeinfo-trailing-garbage', 'text after the JSON of the document', 'nodeinfo-not-json', () =>
    raw(`${JSON.stringify(loopsDocument)}\n<!-- cached -->`, 'application/json'),
  ),
  withDocument('nodeinfo-no-software', 'a document without software', 'nodeinfo-no-software', () =>
    json({ version: '2.0', protocols: ['activitypub'], usage: { users: { total: 3 } } }),
  ),
  withDocument('nodeinfo-too-large', 'a document of over 256 KiB', 'body-too-large', () =>
    raw(padding + JSON.stringify(loopsDocument), 'application/json'),
  ),
  withDocument('nodeinfo-gzip-bomb', 'a document of a few KiB that unpacks to 8 MiB', 'body-too-large', () =>
    raw(gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '), { level: 9 }), 'application/json', 200, {
      'content-encoding': 'gzip',
    }),
  ),
  withDocument(
    'nodeinfo-brotli',
    'a document in an encoding that the request does not accept',
    'unsupported-encoding',
    () => raw(brotliCompressSync(JSON.stringify(loopsDocument)), 'application/json', 200, { 'content-encoding': 'br' }),
  ),
  withFault(
    'discovery-truncated',
    'a discovery document that is shorter than its Content-Length while config answers 404',
    {
      reason: 'nodeinfo-unavailable',
      rule: { route: discoveryPath, fault: 'truncated' },
    },
  ),
  withFault('discovery-deep', 'a discovery document with a list 10,000 levels deep', {
    reason: 'discovery-not-json',
    rule: { route: discoveryPath, fault: 'deep-json', depth: 10_000 },
  }),
  withFault('nodeinfo-truncated', 'a NodeInfo document that is shorter than its Content-Length', {
    reason: 'href-dead',
    rule: { route: documentPath, fault: 'truncated' },
  }),
  withFault('nodeinfo-deep', 'a NodeInfo document with a list 10,000 levels deep', {
    reason: 'nodeinfo-not-json',
    rule: { route: documentPath, fault: 'deep-json', depth: 10_000 },
  }),
  withFault('nodeinfo-single-quotes', 'a NodeInfo document with single quotes', {
    reason: 'nodeinfo-not-json',
    rule: { route: documentPath, fault: 'invalid-json', how: 'single-quotes' },
  }),
  {
    name: 'large-headers',
    imitates: 'a Loops server with 64 KiB of headers before every answer, except for robots.txt',
    expect: noSoftware('unidentified', 'headers-too-large'),
    site: (host) => ({ state: loopsState(host), faults: onEveryProbe({ fault: 'large-headers' }) }),
  },
  {
    name: 'web-app-everywhere',
    imitates: 'a single-page app that answers 200 and HTML to anything',
    expect: noSoftware('unidentified', 'web-app'),
    weight: 3,
    site: (host) => ({ pages: { '/robots.txt': html(webAppPage(host.name)) }, fallback: html(webAppPage(host.name)) }),
  },
  {
    name: 'not-found-everywhere',
    imitates: 'a host that answers 404 to everything',
    expect: noSoftware('unidentified', 'no-nodeinfo'),
    weight: 3,
    site: () => ({ fallback: html('<h1>404 Not Found</h1>', 404) }),
  },
  {
    name: 'challenge-page-503',
    imitates: 'a proxy that answers 503 and a challenge page to anything but robots.txt',
    expect: noSoftware('unidentified', 'challenge-page'),
    site: () => ({
      pages: { '/robots.txt': html('', 404) },
      fallback: html('<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>', 503),
    }),
  },
  {
    name: 'parked-page',
    imitates: 'a name that is for sale, with the same page at every path',
    expect: noSoftware('unidentified', 'parked-page'),
    site: () => ({
      fallback: html('<title>This domain is for sale</title><a href="https://sedo.com/search/">Buy</a>'),
    }),
  },
  {
    name: 'default-page',
    imitates: 'a web server that was installed but never configured',
    expect: noSoftware('unidentified', 'default-page'),
    site: () => ({ fallback: html('<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>') }),
  },
  {
    name: 'maintenance-page',
    imitates: 'a server with a maintenance page and status 200',
    expect: noSoftware('unidentified', 'maintenance-page'),
    site: () => ({ fallback: html('<title>Down for maintenance</title><p>Back in an hour.</p>') }),
  },
  {
    name: 'challenge-page',
    imitates: 'a proxy that answers 403 and a challenge page to anything',
    expect: noSoftware('unidentified', 'challenge-page'),
    weight: 2,
    site: () => ({ fallback: html('<title>Just a moment...</title><p>Checking your browser.</p>', 403) }),
  },
  {
    name: 'login-wall',
    imitates: 'a host that requires a sign-in for everything',
    expect: noSoftware('unidentified', 'no-nodeinfo'),
    site: () => ({ fallback: json({ message: 'Unauthenticated.' }, 401) }),
  },
  {
    name: 'redirect-loop',
    imitates: 'a host that redirects between two of its paths',
    expect: noSoftware('unidentified', 'redirect-loop'),
    site: () => ({
      pages: { '/robots.txt': html('', 404), '/a': redirect('/b', 302) },
      fallback: redirect('/a', 302),
    }),
  },
  {
    name: 'redirect-chain',
    imitates: 'a host that redirects more than three times before it answers',
    expect: noSoftware('unidentified', 'redirect-loop'),
    site: () => ({
      pages: {
        '/robots.txt': html('', 404),
        [configPath]: redirect('/1', 302),
        [discoveryPath]: redirect('/1', 302),
        '/1': redirect('/2', 302),
        '/2': redirect('/3', 302),
        '/3': redirect('/4', 302),
        '/4': redirect('/5', 302),
        '/5': json({}),
      },
    }),
  },
  {
    name: 'redirect-to-http',
    imitates: 'a host that redirects to http:',
    expect: noSoftware('unidentified', 'redirect-refused'),
    site: (host) => ({ pages: { '/robots.txt': html('', 404) }, fallback: redirect(`http://${host.name}/`) }),
  },
  {
    name: 'redirect-to-data',
    imitates: 'a host that redirects to a data: URL',
    expect: noSoftware('unidentified', 'redirect-refused'),
    site: () => ({
      pages: { '/robots.txt': html('', 404) },
      fallback: redirect('data:application/json,{"app":{"software":"loops"}}', 302),
    }),
  },
  {
    name: 'redirect-to-loopback',
    imitates: 'a host that redirects to 127.0.0.1',
    expect: noSoftware('unidentified', 'redirect-refused'),
    site: () => ({ faults: onEveryProbe({ fault: 'redirect', to: 'loopback' }) }),
  },
  {
    name: 'redirect-to-private',
    imitates: 'a host that redirects to 10.0.0.1',
    expect: noSoftware('unidentified', 'redirect-refused'),
    site: () => ({ faults: onEveryProbe({ fault: 'redirect', to: 'private' }) }),
  },
];
