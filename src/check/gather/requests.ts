import type { HostAddress } from '../../http/resolver.ts';
import { ROBOTS_MAX_BYTES } from '../../http/robots.ts';
import { type Href, interpretDiscovery, isUsualPort, parseHref } from '../../identify/documents.ts';
import { asObject, parseJsonObject, property } from '../../identify/field-reader.ts';
import { type Domain, hostOf, originOf } from '../../model/domain/domain.ts';
import type { Visit } from '../../model/visit.ts';
import { type Evidence, FOREIGN_ORIGIN, type RequestName } from '../evidence.ts';
import type { HttpRequest } from './ask.ts';

/** What requests are built from. */
export interface Known {
  domain: Domain;
  /** Those of the host, judged already; none when it has none that may be connected to. */
  addresses: readonly HostAddress[];
  visit: Visit;
  /** What was answered so far. */
  answers: Partial<Evidence['answers']>;
  /** A word that nobody can have used, drawn anew for each. */
  randomName: () => string;
}

/** A request that a check can make. */
export interface CheckRequest {
  name: RequestName;
  /** Why it changes nothing at the server, and costs it next to nothing. */
  harmless: string;
  /** It is built from the answer to this one, which comes before it in the table. */
  after?: RequestName;
  /**
   * Whom it is for. `everyone`: any host, one without an address too. `site`: a host that answers. `service`: one that may be a
   * server of the service.
   */
  of: 'everyone' | 'site' | 'service';
  /** Null when there is no need, or no way. */
  build(known: Known): HttpRequest | null;
}

/** So much is read of a page, whose beginning tells what it is. */
const PAGE_BYTES = 65_536;

const READS = 'A GET, as any browser sends it.';
const EMPTY = 'An empty JSON object: every parameter is missing, so that there is nothing to act upon.';

/** Every request, in the order in which they are sent. */
export const REQUESTS: readonly CheckRequest[] = [
  { name: 'home', of: 'site', harmless: READS, build: (known) => page(known, '/') },
  { name: 'config', of: 'site', harmless: READS, build: (known) => config(known) },
  {
    name: 'robots',
    of: 'site',
    harmless: READS,
    build: (known) => get(known, '/robots.txt', 'text/plain', { cutAtBytes: ROBOTS_MAX_BYTES }),
  },
  { name: 'discovery', of: 'site', harmless: READS, build: (known) => json(known, '/.well-known/nodeinfo') },
  {
    name: 'home-http',
    of: 'everyone',
    harmless: READS,
    build: ({ domain, addresses }) =>
      namesPort(domain) || addresses.length === 0 ? null : asPage(new URL(`http://${domain}/api/v1/config`)),
  },
  {
    name: 'home-www',
    of: 'everyone',
    harmless: READS,
    build: ({ domain }) => (namesPort(domain) ? null : asPage(new URL(`https://${twinOf(domain)}/`))),
  },
  {
    name: 'nodeinfo',
    of: 'site',
    harmless: 'A GET of what the server itself advertises, wherever that is; guarded like any address.',
    after: 'discovery',
    build: (known) => {
      const href = nodeInfoHref(known);
      return href === null ? null : { ...href, method: 'GET', accept: 'application/json' };
    },
  },
  {
    name: 'nodeinfo-latest',
    of: 'site',
    harmless: 'A GET of what the server itself advertises, wherever that is; guarded like any address.',
    after: 'discovery',
    build: (known) => {
      const href = latestNodeInfoHref(known);
      return href === null ? null : { ...href, method: 'GET', accept: 'application/json' };
    },
  },
  { name: 'config-ipv4', of: 'site', harmless: READS, build: (known) => configOver(known, 4) },
  { name: 'config-ipv6', of: 'site', harmless: READS, build: (known) => configOver(known, 6) },
  {
    name: 'config-preflight',
    of: 'service',
    harmless: 'What a browser asks before a request of another site: it only tells what would be allowed.',
    build: (known) => ({
      ...config(known),
      method: 'OPTIONS',
      headers: {
        origin: FOREIGN_ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    }),
  },
  {
    name: 'unknown-page',
    of: 'site',
    harmless: 'A GET of a page that is not there.',
    build: (known) => page(known, `/${known.randomName()}`),
  },
  {
    name: 'unknown-api-route',
    of: 'service',
    harmless: 'A GET of a route that is not there.',
    build: (known) => json(known, `/api/v1/${known.randomName()}`),
  },
  {
    name: 'self-without-token',
    of: 'service',
    harmless: 'A GET without a token, which is refused.',
    build: (known) => json(known, '/api/v1/account/info/self'),
  },
  {
    name: 'unknown-video',
    of: 'service',
    harmless: 'A GET of a video that cannot be there: no snowflake identifier is 0.',
    build: (known) => json(known, '/api/v1/video/0'),
  },
  {
    name: 'authorize',
    of: 'service',
    harmless: 'A GET with a client that nobody registered: there is nothing to approve, and nobody signs in.',
    build: (known) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: known.randomName(),
        redirect_uri: `${FOREIGN_ORIGIN}/callback`,
        scope: 'read',
        state: known.randomName(),
      });
      return page(known, `/oauth/authorize?${query}`);
    },
  },
  { name: 'token', of: 'service', harmless: EMPTY, build: (known) => postNothing(known, '/oauth/token') },
  { name: 'revoke', of: 'service', harmless: EMPTY, build: (known) => postNothing(known, '/oauth/revoke') },
  {
    name: 'apps',
    of: 'service',
    harmless: `${EMPTY} An app has a name and a redirect address, or it is not registered.`,
    build: (known) => postNothing(known, '/api/v1/apps'),
  },
  { name: 'webfinger', of: 'site', harmless: READS, build: (known) => webFinger(known, known.domain) },
  {
    name: 'webfinger-unknown',
    of: 'site',
    harmless: 'A GET for an account that is not there.',
    build: (known) => webFinger(known, known.randomName()),
  },
  {
    name: 'actor',
    of: 'service',
    harmless: 'A GET of a public document; where WebFinger names another address, that one, guarded like any.',
    after: 'webfinger',
    build: (known) => {
      if (isFederationOff(known)) return null;
      return { url: actorUrl(known), method: 'GET', accept: 'application/activity+json', cutAtBytes: PAGE_BYTES };
    },
  },
];

function get({ domain }: Known, path: string, accept: string, options: Partial<HttpRequest> = {}): HttpRequest {
  return { url: new URL(path, originOf(domain)), method: 'GET', accept, ...options };
}

function json(known: Known, path: string): HttpRequest {
  return get(known, path, 'application/json');
}

function page({ domain }: Known, path: string): HttpRequest {
  return asPage(new URL(path, originOf(domain)));
}

function asPage(url: URL): HttpRequest {
  return { url, method: 'GET', accept: 'text/html', cutAtBytes: PAGE_BYTES };
}

function config(known: Known): HttpRequest {
  return { ...json(known, '/api/v1/config'), headers: { origin: FOREIGN_ORIGIN } };
}

function configOver(known: Known, family: 4 | 6): HttpRequest | null {
  const [first] = known.addresses.filter((address) => address.family === family);
  const hasOther = known.addresses.some((address) => address.family !== family);
  return first === undefined || !hasOther ? null : { ...config(known), addresses: [first] };
}

function postNothing(known: Known, path: string): HttpRequest {
  return { ...json(known, path), method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
}

/** RFC 7033 section 4.1: the resource is percent-encoded. */
function webFinger(known: Known, account: string): HttpRequest | null {
  if (isFederationOff(known)) return null;
  const resource = encodeURIComponent(`acct:${account}@${known.domain}`);
  return get(known, `/.well-known/webfinger?resource=${resource}`, 'application/jrd+json, application/json');
}

function isFederationOff({ visit }: Known): boolean {
  return visit.facts?.federation === false;
}

function namesPort(domain: Known['domain']): boolean {
  return domain !== hostOf(domain);
}

/** The name with `www.`, or without it. */
function twinOf(domain: Known['domain']): string {
  return domain.startsWith('www.') ? domain.slice('www.'.length) : `www.${domain}`;
}

/** The NodeInfo 2.0 address that the discovery document advertises, as given; null when there is none that a visit would ask. */
export function nodeInfoHref({ domain, visit, answers }: Known): Href | null {
  const body = discoveryBody({ visit, answers });
  if (body === undefined) return null;
  const href = interpretDiscovery(body, domain);
  return 'verdict' in href ? null : href;
}

/** That of the entry with the highest version, where it is another than 2.0. */
function latestNodeInfoHref(known: Known): Href | null {
  const body = discoveryBody(known);
  const links = body === undefined ? undefined : property(parseJsonObject(body), 'links');
  let latest: { version: number; href: Href } | null = null;
  for (const item of Array.isArray(links) ? links : []) {
    const link = asObject(item);
    const [rel, href] = [property(link, 'rel'), property(link, 'href')];
    if (typeof rel !== 'string' || typeof href !== 'string') continue;
    const version = Number(/\/schema\/(\d{1,3}\.\d{1,3})$/.exec(rel)?.[1] ?? Number.NaN);
    const parsed = parseHref(href);
    if (Number.isNaN(version) || parsed === null || !isUsualPort(parsed.url, known.domain)) continue;
    if (latest === null || version > latest.version) latest = { version, href: parsed };
  }
  return latest === null || latest.version === 2 ? null : latest.href;
}

/** Where a redirect led within the host, the visit followed it. */
function discoveryBody({ visit, answers }: Pick<Known, 'visit' | 'answers'>): Uint8Array | undefined {
  const { discovery } = answers;
  const isDocument = discovery?.failure === null && discovery.status !== null && discovery.status < 300;
  return isDocument ? discovery.body : visit.documents.discovery;
}

/** Where the instance actor is: what WebFinger (RFC 7033) says of it, else where servers of the service have it. */
function actorUrl({ domain, answers }: Known): URL {
  const { webfinger } = answers;
  const links = property(parseJsonObject(webfinger?.body ?? new Uint8Array()), 'links');
  for (const item of Array.isArray(links) ? links : []) {
    const link = asObject(item);
    const href = property(link, 'href');
    if (property(link, 'rel') !== 'self' || typeof href !== 'string') continue;
    const url = parseHref(href)?.url;
    if (url !== undefined && isUsualPort(url, domain)) return url;
  }
  return new URL('/ap/actor', originOf(domain));
}
