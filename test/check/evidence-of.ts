import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type CheckExchange, type Evidence, REQUEST_NAMES, type RequestName } from '../../src/check/evidence.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import { visitOf } from './visit-of.ts';

/** Properties of an exchange for tests; `json` or `body` is the content of the response. */
export interface ExchangeOverrides extends Partial<Omit<CheckExchange, 'body' | 'headers'>> {
  headers?: IncomingHttpHeaders;
  /** JSON body; also sets the content type unless `headers` has one. */
  json?: unknown;
  /** Body as a string or bytes. */
  body?: string | Uint8Array;
}

export type Answers = Partial<Record<RequestName, CheckExchange | null>>;

export interface EvidenceOverrides extends Partial<Omit<Evidence, 'domain' | 'answers'>> {
  /** Default `loops.example`. */
  domain?: string;
  /** Merged over the answers of the healthy server. Null: the request was not sent. */
  answers?: Answers;
}

export const CHECKED_AT = Date.UTC(2026, 7, 1, 12);
export const DAY_MS = 86_400_000;
const JSON_TYPE = 'application/json';

/**
 * Evidence from a healthy host: unmodified Loops behind a well-configured proxy, with `RECOMMENDED_ROBOTS`. The overrides are merged over this evidence. The visit is derived from the documents unless it is given.
 */
export function evidenceOf(overrides: EvidenceOverrides = {}): Evidence {
  const { domain: text = 'loops.example', answers: changedAnswers = {}, visit, ...otherOverrides } = overrides;
  const domain = domainOf(text);
  const at = otherOverrides.at ?? CHECKED_AT;
  const softwareId = otherOverrides.softwareId ?? 'loops';
  const answers = { ...healthyAnswers(domain), ...changedAnswers };
  return {
    domain,
    at,
    softwareId,
    visit: visit ?? visitOf({ domain, at, softwareId, answers }),
    dns: {
      name: hostNameOf(domain),
      ipv4: { addresses: ['93.184.216.34'], failure: null, forbidden: [] },
      ipv6: { addresses: ['2606:2800:220:1::34'], failure: null, forbidden: [] },
      caa: {
        name: hostNameOf(domain),
        records: [
          { critical: false, tag: 'issue', value: 'letsencrypt.org' },
          { critical: false, tag: 'iodef', value: 'mailto:admin@loops.example' },
        ],
      },
    },
    tls: {
      handshakes: (['93.184.216.34', '2606:2800:220:1::34'] as const).map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
        failure: null,
        detail: null,
        protocol: 'TLSv1.3',
        alpn: 'h2',
        certificate: {
          names: [hostNameOf(domain), `www.${hostNameOf(domain)}`],
          validFrom: at - 30 * DAY_MS,
          validTo: at + 60 * DAY_MS,
          issuer: "Let's Encrypt",
          issuerUrl: 'http://r11.i.lencr.example/',
          isSelfSigned: false,
        },
        chainLength: 2,
      })),
      speaksOldTls: false,
    },
    localNetwork: { ipv4: true, ipv6: true, dns: true },
    newestVersion: '1.0.0-beta.14',
    incompleteReason: null,
    ...otherOverrides,
    answers,
  };
}

/** A response, by default 200 to a GET. With a `failure` there was no response. */
export function exchangeOf({ json, body, headers, ...overrides }: ExchangeOverrides = {}): CheckExchange {
  const hasFailed = overrides.failure != null;
  const text = json === undefined ? (body ?? '') : JSON.stringify(json);
  return {
    method: 'GET',
    url: 'https://loops.example/',
    status: hasFailed ? null : 200,
    headers: hasFailed ? {} : { ...(json === undefined ? {} : { 'content-type': JSON_TYPE }), ...headers },
    body: typeof text === 'string' ? Buffer.from(text) : text,
    ms: 40,
    failure: null,
    detail: null,
    followed: [],
    ...overrides,
  };
}

/** The healthy server's answer to one request, with overrides; a new body keeps the original headers. */
export function healthyAnswer(
  name: RequestName,
  { json, body, headers, ...overrides }: ExchangeOverrides = {},
): CheckExchange {
  const answer = healthyAnswers(domainOf('loops.example'))[name];
  const text = json === undefined ? body : JSON.stringify(json);
  return {
    ...answer,
    ...(text === undefined ? {} : { body: typeof text === 'string' ? Buffer.from(text) : text }),
    ...(headers === undefined ? {} : { headers: { ...answer.headers, ...headers } }),
    ...overrides,
  };
}

/** The configuration of a live server of version 1.0.0-beta.14. Changes apply to top-level keys; undefined removes one. */
export function liveConfig(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    app: {
      name: 'Clips of the Harbour',
      url: 'https://loops.example',
      description: 'Short videos by the people of the harbour, about boats and the fish around them.',
      software: 'loops',
      version: '1.0.0-beta.14',
    },
    media: { max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['mp4'] },
    fyf: true,
    registration: true,
    registration_mode: 'open',
    federation: true,
    pushNotifications: false,
    starterKits: true,
    atomFeeds: true,
    hasKlipy: false,
    account: { max_bio_length: 500 },
    ...changes,
  };
}

/** The `app` object of {@link liveConfig} with changes. */
export function liveApp(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...(liveConfig().app as Record<string, unknown>), ...changes };
}

/** The NodeInfo 2.0 document of a live server. Changes apply to top-level keys; undefined removes one. */
export function liveNodeInfo(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    version: '2.0',
    software: { name: 'loops', version: '1.0.0-beta.14' },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: true,
    usage: { users: { total: 214, activeHalfyear: 120, activeMonth: 61 }, localPosts: 1_830 },
    metadata: { nodeName: 'Clips of the Harbour', nodeDescription: 'Short videos by the people of the harbour.' },
    ...changes,
  };
}

export const NODEINFO_SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema';

/** A discovery document. Each argument is a whole link, or the NodeInfo version to which a link leads. */
export function discoveryOf(...links: (string | Record<string, unknown>)[]): { links: Record<string, unknown>[] } {
  return {
    links: links.map((link) =>
      typeof link === 'string'
        ? { rel: `${NODEINFO_SCHEMA}/${link}`, href: `https://loops.example/nodeinfo/${link}` }
        : link,
    ),
  };
}

/** The robots.txt of live Loops servers with the line that the check recommends: `Allow: /api/v1/config`. */
export const RECOMMENDED_ROBOTS = [
  'User-agent: *',
  'Allow: /',
  'Allow: /.well-known/nodeinfo',
  'Allow: /nodeinfo/2.0',
  'Allow: /nodeinfo/2.1',
  'Disallow: /api/',
  'Allow: /api/v1/config',
  'Allow: /api/v1/video/',
  'Allow: /api/v1/account/username/',
  'Allow: /api/v1/tags/',
  '',
].join('\n');

function healthyAnswers(domain: Domain): Record<RequestName, CheckExchange> {
  const host = hostNameOf(domain);
  const origin = `https://${domain}`;
  const commonHeaders: IncomingHttpHeaders = {
    date: new Date(CHECKED_AT).toUTCString(),
    server: 'nginx',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    vary: 'Accept-Encoding',
  };
  const onOrigin = (path: string, overrides: ExchangeOverrides): CheckExchange =>
    exchangeOf({ url: origin + path, ...overrides, headers: { ...commonHeaders, ...overrides.headers } });
  const api = (path: string, json: unknown, overrides: ExchangeOverrides = {}): CheckExchange => {
    const length = JSON.stringify(json).length;
    return onOrigin(path, {
      json,
      ...overrides,
      headers: {
        'content-type': JSON_TYPE,
        'access-control-allow-origin': '*',
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '57',
        ...(length > 200 ? { 'content-encoding': 'gzip' } : {}),
        ...overrides.headers,
      },
    });
  };
  const oauth = (path: string, json: unknown, overrides: ExchangeOverrides): CheckExchange =>
    api(path, json, {
      ...overrides,
      headers: { 'cache-control': 'no-store', pragma: 'no-cache', ...overrides.headers },
    });
  const page = (path: string): CheckExchange =>
    onOrigin(path, {
      body: '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Clips of the Harbour</title></head><body><div id="app"></div><script type="module" src="/build/app.js"></script></body></html>',
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' },
    });
  const redirect = (url: string): CheckExchange =>
    exchangeOf({
      url,
      status: 301,
      headers: { date: commonHeaders.date, server: 'nginx', location: origin + new URL(url).pathname },
    });

  const config = liveConfig({ app: liveApp({ url: origin }) });
  const configAnswer = () => api('/api/v1/config', config, { headers: { 'cache-control': 'public, max-age=300' } });
  const unknownName = createHash('sha256').update(host).digest('hex').slice(0, 16);
  const actor = `${origin}/ap/actor`;
  return {
    home: page('/'),
    'config-http': redirect(`http://${host}/api/v1/config`),
    'home-www': {
      ...redirect(`https://www.${host}/`),
      headers: { ...commonHeaders, location: `${origin}/` },
    },
    robots: onOrigin('/robots.txt', {
      body: RECOMMENDED_ROBOTS,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    }),
    config: configAnswer(),
    'config-ipv4': configAnswer(),
    'config-ipv6': configAnswer(),
    'config-preflight': onOrigin('/api/v1/config', {
      method: 'OPTIONS',
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': 'accept, content-type',
        'access-control-max-age': '86400',
      },
    }),
    discovery: onOrigin('/.well-known/nodeinfo', {
      json: {
        links: ['2.0', '2.1'].map((version) => ({
          rel: `${NODEINFO_SCHEMA}/${version}`,
          href: `${origin}/nodeinfo/${version}`,
        })),
      },
      headers: { 'content-type': JSON_TYPE, 'access-control-allow-origin': '*' },
    }),
    nodeinfo: onOrigin('/nodeinfo/2.0', {
      json: liveNodeInfo(),
      headers: {
        'content-type': `application/json; profile="${NODEINFO_SCHEMA}/2.0#"`,
        'access-control-allow-origin': '*',
        'content-encoding': 'gzip',
      },
    }),
    'nodeinfo-latest': onOrigin('/nodeinfo/2.1', {
      json: liveNodeInfo({ version: '2.1' }),
      headers: {
        'content-type': `application/json; profile="${NODEINFO_SCHEMA}/2.1#"`,
        'access-control-allow-origin': '*',
        'content-encoding': 'gzip',
      },
    }),
    storage: onOrigin('/storage/avatars/default.jpg', {
      body: Buffer.from('ffd8ffe0', 'hex'),
      headers: { 'content-type': 'image/jpeg' },
    }),
    'web-script': onOrigin('/build/app.js', { body: 'let a;', headers: { 'content-type': 'text/javascript' } }),
    'web-style': onOrigin('/build/app.css', { body: 'p{}', headers: { 'content-type': 'text/css' } }),
    'unknown-page': page(`/${unknownName}`),
    'unknown-api-route': api(`/api/v1/${unknownName}`, { message: 'Not Found.' }, { status: 404 }),
    'self-without-token': api('/api/v1/account/info/self', { message: 'Unauthenticated.' }, { status: 401 }),
    'unknown-video': api(
      '/api/v1/video/0',
      { data: [], error: { code: 404, message: 'Record not found.' } },
      { status: 404 },
    ),
    authorize: oauth(
      '/oauth/authorize',
      { error: 'invalid_client', error_description: 'Client authentication failed' },
      { status: 401 },
    ),
    token: oauth(
      '/oauth/token',
      { error: 'unsupported_grant_type', error_description: 'The authorization grant type is not supported.' },
      { method: 'POST', status: 400 },
    ),
    revoke: oauth(
      '/oauth/revoke',
      { error: 'invalid_client', error_description: 'Client authentication failed' },
      { method: 'POST', status: 401 },
    ),
    apps: api(
      '/api/v1/apps',
      {
        message: 'The client name field is required. (and 1 more error)',
        errors: {
          client_name: ['The client name field is required.'],
          redirect_uris: ['The redirect uris field is required.'],
        },
      },
      { method: 'POST', status: 422 },
    ),
    webfinger: onOrigin(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:${host}@${host}`)}`, {
      json: {
        subject: `acct:${host}@${host}`,
        aliases: [actor],
        links: [{ rel: 'self', type: 'application/activity+json', href: actor }],
      },
      headers: { 'content-type': 'application/jrd+json', 'access-control-allow-origin': '*' },
    }),
    'webfinger-unknown': onOrigin(
      `/.well-known/webfinger?resource=${encodeURIComponent(`acct:${unknownName}@${host}`)}`,
      {
        status: 404,
        json: { message: 'Not Found.' },
        headers: { 'content-type': JSON_TYPE, 'access-control-allow-origin': '*' },
      },
    ),
    actor: onOrigin('/ap/actor', {
      json: {
        '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
        id: actor,
        type: 'Application',
        preferredUsername: host,
        inbox: `${actor}/inbox`,
        outbox: `${actor}/outbox`,
        manuallyApprovesFollowers: true,
        endpoints: { sharedInbox: `${origin}/ap/inbox` },
        publicKey: {
          id: `${actor}#main-key`,
          owner: actor,
          publicKeyPem: '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq\n-----END PUBLIC KEY-----\n',
        },
      },
      headers: { 'content-type': 'application/activity+json' },
    }),
    upload: onOrigin('/api/v1/studio/upload', { method: 'POST', status: 100 }),
    inbox: onOrigin('/ap/inbox', { method: 'POST', status: 401, json: { error: 'Missing signature header' } }),
  };
}

/** The answers when no request was sent, for example because the host is unreachable. */
export function noAnswers(): Record<RequestName, null> {
  return Object.fromEntries(REQUEST_NAMES.map((name) => [name, null])) as Record<RequestName, null>;
}

function hostNameOf(domain: Domain): string {
  return domain.split(':')[0] ?? domain;
}

function domainOf(text: string): Domain {
  const parse = parseDomain(text, { allowSuffixes: ['example'] });
  if (!parse.ok) throw new Error(parse.detail);
  return parse.domain;
}
