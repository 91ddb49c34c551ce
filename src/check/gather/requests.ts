import type { HostAddress } from '../../http/resolver.ts';
import { ROBOTS_MAX_BYTES } from '../../http/robots.ts';
import type { SendOptions } from '../../http/visit-client.ts';
import { type Href, interpretDiscovery, mayFollowLink, parseHref } from '../../identify/documents.ts';
import { asObject, parseJsonObject, property } from '../../identify/field-reader.ts';
import { type Domain, hostOf, originOf } from '../../model/domain/domain.ts';
import type { Visit } from '../../model/visit.ts';
import { type Evidence, FOREIGN_ORIGIN, type RequestName } from '../evidence.ts';
import { MAX_PLAUSIBLE_SIZE } from '../rules/config-limits.ts';
import { filesOfPage } from '../web-app-page.ts';

/** One request to send. */
export interface HttpRequest extends SendOptions {
  url: URL;
  /** The addresses of the host to use; default: all. */
  addresses?: readonly HostAddress[];
}

/** The data that requests are built from. */
export interface RequestContext {
  domain: Domain;
  /** The permitted addresses of the host. */
  addresses: readonly HostAddress[];
  visit: Visit;
  /** The answers so far. */
  answers: Partial<Evidence['answers']>;
  /** A new random name that nobody uses. */
  randomName: () => string;
}

/** A request of the check. */
export interface CheckRequest {
  /** Why it changes nothing on the server and is cheap to answer. */
  whyHarmless: string;
  /** An earlier request of the table, whose answer this one is built from. */
  after?: RequestName;
  /**
   * `any-host`: sent even when the name has no address. `site`: to a host that answers. `service`: to a host that may be a Loops server.
   */
  scope: 'any-host' | 'site' | 'service';
  /** Null when the request is not needed or not possible. */
  build(context: RequestContext): HttpRequest | null;
}

/** The beginning of a page is enough to classify it. */
const PAGE_BYTES = 65_536;
/** Enough to see what kind of file it is. */
const FILE_BYTES = 1_024;

const PLAIN_GET = 'A GET, as any browser sends it.';
const EMPTY_OBJECT = 'An empty JSON object: every parameter is missing, so the server cannot act on it.';

/** Every request, in the order in which they are sent. */
export const REQUESTS: Readonly<Record<RequestName, CheckRequest>> = {
  home: { scope: 'site', whyHarmless: PLAIN_GET, build: (context) => pageRequest(context, '/') },
  config: { scope: 'site', whyHarmless: PLAIN_GET, build: (context) => configRequest(context) },
  'config-ipv4': { scope: 'site', whyHarmless: PLAIN_GET, build: (context) => configRequestOver(context, 4) },
  'config-ipv6': { scope: 'site', whyHarmless: PLAIN_GET, build: (context) => configRequestOver(context, 6) },
  robots: {
    scope: 'site',
    whyHarmless: PLAIN_GET,
    build: (context) => getRequest(context, '/robots.txt', 'text/plain', { truncateAtBytes: ROBOTS_MAX_BYTES }),
  },
  discovery: {
    scope: 'site',
    whyHarmless: PLAIN_GET,
    build: (context) => jsonRequest(context, '/.well-known/nodeinfo'),
  },
  'config-http': {
    scope: 'any-host',
    whyHarmless: PLAIN_GET,
    build: ({ domain, addresses }) =>
      namesPort(domain) || addresses.length === 0 ? null : pageRequestTo(new URL(`http://${domain}/api/v1/config`)),
  },
  'home-www': {
    scope: 'any-host',
    whyHarmless: PLAIN_GET,
    build: ({ domain }) => (namesPort(domain) ? null : pageRequestTo(new URL(`https://${wwwVariantOf(domain)}/`))),
  },
  nodeinfo: {
    scope: 'site',
    whyHarmless: 'A GET of a URL that the server advertises; the address guard applies.',
    after: 'discovery',
    build: (context) => {
      const href = findNodeInfoHref(context);
      return href === null ? null : { ...href, method: 'GET', accept: 'application/json' };
    },
  },
  'nodeinfo-latest': {
    scope: 'site',
    whyHarmless: 'A GET of a URL that the server advertises; the address guard applies.',
    after: 'discovery',
    build: (context) => {
      const href = findLatestNodeInfoHref(context);
      return href === null ? null : { ...href, method: 'GET', accept: 'application/json' };
    },
  },
  'config-preflight': {
    scope: 'service',
    whyHarmless: 'The question that a browser sends before a cross-origin request: it only asks what is allowed.',
    build: (context) => ({
      ...configRequest(context),
      method: 'OPTIONS',
      headers: {
        origin: FOREIGN_ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    }),
  },
  'unknown-page': {
    scope: 'site',
    whyHarmless: 'A GET of a page that does not exist.',
    build: (context) => pageRequest(context, `/${context.randomName()}`),
  },
  'unknown-api-route': {
    scope: 'service',
    whyHarmless: 'A GET of a route that does not exist.',
    build: (context) => jsonRequest(context, `/api/v1/${context.randomName()}`),
  },
  'self-without-token': {
    scope: 'service',
    whyHarmless: 'A GET without a token, which is refused.',
    build: (context) => jsonRequest(context, '/api/v1/account/info/self'),
  },
  'unknown-video': {
    scope: 'service',
    whyHarmless: 'A GET of a video that cannot exist: no snowflake identifier is 0.',
    build: (context) => jsonRequest(context, '/api/v1/video/0'),
  },
  authorize: {
    scope: 'service',
    whyHarmless: 'A GET with an unregistered client: there is nothing to approve, and nobody signs in.',
    build: (context) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: context.randomName(),
        redirect_uri: `${FOREIGN_ORIGIN}/callback`,
        scope: 'read',
        state: context.randomName(),
      });
      return pageRequest(context, `/oauth/authorize?${query}`);
    },
  },
  token: {
    scope: 'service',
    whyHarmless: EMPTY_OBJECT,
    build: (context) => postEmptyObject(context, '/oauth/token'),
  },
  revoke: {
    scope: 'service',
    whyHarmless: EMPTY_OBJECT,
    build: (context) => postEmptyObject(context, '/oauth/revoke'),
  },
  apps: {
    scope: 'service',
    whyHarmless: `${EMPTY_OBJECT} An app without a name and a redirect URI is not registered.`,
    build: (context) => postEmptyObject(context, '/api/v1/apps'),
  },
  webfinger: {
    scope: 'site',
    whyHarmless: PLAIN_GET,
    build: (context) => webFingerRequest(context, context.domain),
  },
  'webfinger-unknown': {
    scope: 'site',
    whyHarmless: 'A GET for an account that does not exist.',
    build: (context) => webFingerRequest(context, context.randomName()),
  },
  actor: {
    scope: 'service',
    whyHarmless: 'A GET of a public document, at the URL that WebFinger names; the address guard applies.',
    after: 'webfinger',
    build: (context) => {
      if (isFederationOff(context)) return null;
      return {
        url: actorUrl(context),
        method: 'GET',
        accept: 'application/activity+json',
        truncateAtBytes: PAGE_BYTES,
      };
    },
  },
  storage: {
    scope: 'service',
    whyHarmless: PLAIN_GET,
    build: (context) => getRequest(context, '/storage/avatars/default.jpg', 'image/*', { truncateAtBytes: FILE_BYTES }),
  },
  'web-script': {
    scope: 'service',
    whyHarmless: PLAIN_GET,
    after: 'home',
    build: (context) => fileOfHome(context, 'script'),
  },
  'web-style': {
    scope: 'service',
    whyHarmless: PLAIN_GET,
    after: 'home',
    build: (context) => fileOfHome(context, 'style'),
  },
  upload: {
    scope: 'service',
    whyHarmless:
      'Headers only: the server says whether a body of this size may come, and none comes. Without a token it is refused.',
    build: (context) => {
      const megabytes = context.visit.facts?.limits.maxVideoSizeMB ?? 0;
      if (megabytes === 0 || megabytes > MAX_PLAUSIBLE_SIZE) return null;
      const headers = {
        'content-type': 'video/mp4',
        'content-length': String(megabytes * 1_048_576),
        expect: '100-continue',
      };
      return { ...jsonRequest(context, '/api/v1/studio/upload'), method: 'POST', headers, truncateAtBytes: FILE_BYTES };
    },
  },
  inbox: {
    scope: 'service',
    whyHarmless: `${EMPTY_OBJECT} Without a signature it is refused before it is read.`,
    build: (context) => postEmptyObject(context, '/ap/inbox', 'application/activity+json'),
  },
};

function getRequest(
  { domain }: RequestContext,
  path: string,
  accept: string,
  options: Partial<HttpRequest> = {},
): HttpRequest {
  return { url: new URL(path, originOf(domain)), method: 'GET', accept, ...options };
}

function jsonRequest(context: RequestContext, path: string): HttpRequest {
  return getRequest(context, path, 'application/json');
}

function pageRequest({ domain }: RequestContext, path: string): HttpRequest {
  return pageRequestTo(new URL(path, originOf(domain)));
}

function pageRequestTo(url: URL): HttpRequest {
  return { url, method: 'GET', accept: 'text/html', truncateAtBytes: PAGE_BYTES };
}

/** The first script or style sheet that the home page loads from its own host; null when there is none. */
function fileOfHome(context: RequestContext, kind: 'script' | 'style'): HttpRequest | null {
  const { home } = context.answers;
  if (home == null || home.status !== 200 || home.failure !== null) return null;
  const url = filesOfPage(home, kind).find(({ origin }) => origin === originOf(context.domain));
  const accept = kind === 'script' ? 'text/javascript, */*' : 'text/css, */*';
  return url === undefined ? null : { url, method: 'GET', accept, truncateAtBytes: FILE_BYTES };
}

function configRequest(context: RequestContext): HttpRequest {
  return { ...jsonRequest(context, '/api/v1/config'), headers: { origin: FOREIGN_ORIGIN } };
}

function configRequestOver(context: RequestContext, family: 4 | 6): HttpRequest | null {
  const [first] = context.addresses.filter((address) => address.family === family);
  const hasOther = context.addresses.some((address) => address.family !== family);
  return first === undefined || !hasOther ? null : { ...configRequest(context), addresses: [first] };
}

function postEmptyObject(context: RequestContext, path: string, type = 'application/json'): HttpRequest {
  return { ...jsonRequest(context, path), method: 'POST', headers: { 'content-type': type }, body: '{}' };
}

/** RFC 7033 section 4.1: the resource is percent-encoded. */
function webFingerRequest(context: RequestContext, account: string): HttpRequest | null {
  if (isFederationOff(context)) return null;
  const resource = encodeURIComponent(`acct:${account}@${context.domain}`);
  return getRequest(context, `/.well-known/webfinger?resource=${resource}`, 'application/jrd+json, application/json');
}

function isFederationOff({ visit }: RequestContext): boolean {
  return visit.facts?.federation === false;
}

function namesPort(domain: RequestContext['domain']): boolean {
  return domain !== hostOf(domain);
}

/** The name with `www.` added or removed. */
function wwwVariantOf(domain: RequestContext['domain']): string {
  return domain.startsWith('www.') ? domain.slice('www.'.length) : `www.${domain}`;
}

/** The advertised NodeInfo 2.0 URL, unchanged; null when there is none that a visit would follow. */
function findNodeInfoHref({ domain, visit, answers }: RequestContext): Href | null {
  const body = discoveryBody({ visit, answers });
  if (body === undefined) return null;
  const href = interpretDiscovery(body, domain);
  return 'verdict' in href ? null : href;
}

/** The advertised URL of the highest NodeInfo version; null when that is 2.0, or the check may not follow any. */
function findLatestNodeInfoHref(context: RequestContext): Href | null {
  const body = discoveryBody(context);
  const links = body === undefined ? undefined : property(parseJsonObject(body), 'links');
  let latest: { version: number; href: Href } | null = null;
  for (const item of Array.isArray(links) ? links : []) {
    const link = asObject(item);
    const [rel, href] = [property(link, 'rel'), property(link, 'href')];
    if (typeof rel !== 'string' || typeof href !== 'string') continue;
    const version = Number(/\/schema\/(\d{1,3}\.\d{1,3})$/.exec(rel)?.[1] ?? Number.NaN);
    const parsed = parseHref(href);
    if (Number.isNaN(version) || parsed === null || !mayFollowLink(parsed.url, context.domain)) continue;
    if (latest === null || version > latest.version) latest = { version, href: parsed };
  }
  return latest === null || latest.version === 2 ? null : latest.href;
}

/** The body of discovery; if the check did not get it, the one that the visit got. */
function discoveryBody({ visit, answers }: Pick<RequestContext, 'visit' | 'answers'>): Uint8Array | undefined {
  const { discovery } = answers;
  const isSuccess = discovery?.failure === null && discovery.status !== null && discovery.status < 300;
  return isSuccess ? discovery.body : visit.documents.discovery;
}

/** The URL of the instance actor that WebFinger names (RFC 7033), if the check may follow it; otherwise the usual URL of Loops. */
function actorUrl({ domain, answers }: RequestContext): URL {
  const { webfinger } = answers;
  const links = property(parseJsonObject(webfinger?.body ?? new Uint8Array()), 'links');
  for (const item of Array.isArray(links) ? links : []) {
    const link = asObject(item);
    const href = property(link, 'href');
    if (property(link, 'rel') !== 'self' || typeof href !== 'string') continue;
    const url = parseHref(href)?.url;
    if (url !== undefined && mayFollowLink(url, domain)) return url;
  }
  return new URL('/ap/actor', originOf(domain));
}
