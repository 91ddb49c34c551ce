import { Resolver } from 'node:dns/promises';
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { Expectation, Fleet } from '../../../src/reference/index.ts';

/**
 * A visit according to section 4.4 of the specification, with only the HTTP clients of Node: an independent check of
 * the expectations of the kinds. Throws the DNS, connection and TLS errors of Node unchanged; resets and malformed answers
 * become a result.
 */
export async function plainVisit(fleet: Fleet, domain: string): Promise<Expectation & { aliasOf?: string }> {
  const get = fetcher(fleet);
  const resultOf = (verdict: Expectation['verdict'], reason: string, more: object = {}) => {
    return { verdict, reason, via: null, software: null, version: null, ...more };
  };
  const robots = await get(`https://${domain}/robots.txt`).catch(failureOf);
  if (typeof robots === 'string') return resultOf('unreachable', 'robots-unreachable');
  if (robots.status >= 500) return resultOf('unreachable', 'robots-unreachable');
  const rules = robots.status === 200 ? String(robots.body) : '';
  // The kinds forbid everything in exactly this form, or in that of `*` below, which does not apply to config.
  if (/^user-agent: loopscout\ndisallow: \/$/im.test(rules)) return resultOf('declined', 'robots-forbidden');

  const config = await tryFollow(get, `https://${domain}/api/v1/config`);
  if (config.status === 429) return resultOf('declined', 'rate-limited');
  const app = fieldOf(config.json, 'app');
  const name = fieldOf(app, 'software');
  if (typeof name === 'string') {
    const verdict = name === 'loops' ? 'loops' : 'other';
    return resultOf(verdict, 'config-software', {
      via: 'config',
      software: name,
      version: textOf(fieldOf(app, 'version')),
    });
  }
  if (/^user-agent: \*\ndisallow: \/$/im.test(rules)) return resultOf('declined', 'robots-forbidden');

  const discovery = await tryFollow(get, `https://${domain}/.well-known/nodeinfo`);
  if (discovery.status === 429) return resultOf('declined', 'rate-limited');
  if (discovery.redirectedTo !== null) return resultOf('alias', 'redirected', { aliasOf: discovery.redirectedTo });
  const isDiscoveryObject = typeof discovery.json === 'object' && discovery.json !== null;
  if (!isDiscoveryObject && config.redirectedTo !== null)
    return resultOf('alias', 'redirected', { aliasOf: config.redirectedTo });
  if (isBroken(discovery)) {
    return isBroken(config)
      ? resultOf('unreachable', config.failure)
      : resultOf('unidentified', 'nodeinfo-unavailable');
  }
  if (discovery.failure !== null) return resultOf('unidentified', discovery.failure);
  if (discovery.status >= 500) {
    return config.status >= 500
      ? resultOf('unreachable', 'http-5xx')
      : resultOf('unidentified', 'nodeinfo-unavailable');
  }
  if (discovery.status === 410 && config.status === 410) return resultOf('declined', 'gone');
  if (discovery.status >= 400) return resultOf('unidentified', 'no-nodeinfo');
  if (!isDiscoveryObject) return resultOf('unidentified', 'discovery-not-json');

  const link = linksOf(discovery.json).find((each) => String(fieldOf(each, 'rel')).endsWith('/schema/2.0'));
  if (link === undefined) return resultOf('unidentified', 'no-nodeinfo-2.0-link');
  const href = fieldOf(link, 'href');
  if (typeof href !== 'string' || !/^https?:\/\//.test(href)) return resultOf('unidentified', 'href-invalid');
  // A link may have the default port or the port of the domain.
  const port = new URL(href).port;
  if (port !== '' && port !== new URL(`https://${domain}`).port) return resultOf('unidentified', 'href-refused');
  // Any error means that the href is dead.
  const dead: Followed = { status: 0, json: undefined, failure: null, redirectedTo: null };
  const document = await follow(get, href, 1).catch(() => dead);
  if (document.redirectedTo !== null) return resultOf('unidentified', 'href-redirected');
  if (document.failure !== null) return resultOf('unidentified', document.failure);
  if (document.status !== 200) return resultOf('unidentified', 'href-dead');
  if (document.json === undefined) return resultOf('unidentified', 'nodeinfo-not-json');
  const software = fieldOf(fieldOf(document.json, 'software'), 'name');
  if (typeof software !== 'string') return resultOf('unidentified', 'nodeinfo-no-software');
  const version = textOf(fieldOf(fieldOf(document.json, 'software'), 'version'));
  return resultOf(software === 'loops' ? 'loops' : 'other', 'nodeinfo-software', {
    via: 'nodeinfo',
    software,
    version,
  });
}

export interface PlainAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Returns a GET function that uses the DNS server and the certificate authority of the fleet, on a new connection each time. */
export function fetcher(fleet: Fleet): (url: string) => Promise<PlainAnswer> {
  const resolver = new Resolver();
  resolver.setServers([fleet.dnsServer]);
  return async (url) => {
    const { protocol, hostname, port, host } = new URL(url);
    const addresses = await resolver.resolve4(hostname);
    if (addresses.some((address) => address !== '127.0.0.1')) throw new Error('forbidden-address');
    // The path and query as written: `URL` may change them.
    const target = url.slice(protocol.length + 2 + host.length) || '/';
    const options = { host: addresses[0], port, path: target, headers: { host }, agent: false as const };
    return new Promise((resolve, reject) => {
      const receive = (message: http.IncomingMessage) => {
        const chunks: Buffer[] = [];
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        message.on('error', reject);
        message.on('end', () => {
          resolve({ status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) });
        });
      };
      const request =
        protocol === 'http:'
          ? http.get(options, receive)
          : https.get({ ...options, servername: hostname, ca: fleet.caPem }, receive);
      request.on('error', reject);
    });
  };
}

/** The result of a request and its redirects. */
interface Followed {
  /** 0: no final answer. */
  status: number;
  /** Undefined: not JSON, or a status other than 200. */
  json: unknown;
  failure: 'redirect-loop' | 'redirect-refused' | 'body-too-large' | 'unsupported-encoding' | Broken | null;
  /** The host of a redirect to another host; null: none. */
  redirectedTo: string | null;
}

/** The failure of an incomplete or malformed answer. */
type Broken = 'connection-reset' | 'invalid-http' | 'headers-too-large';

/** The failure for an error during an answer. Rethrows other errors, which concern the host itself. */
function failureOf(error: NodeJS.ErrnoException): Broken {
  if (error.code === 'ECONNRESET') return 'connection-reset';
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  if (error.code?.startsWith('HPE_')) return 'invalid-http';
  throw error;
}

function isBroken(followed: Followed): followed is Followed & { failure: 'connection-reset' | 'invalid-http' } {
  return followed.failure === 'connection-reset' || followed.failure === 'invalid-http';
}

/** Like {@link follow}, but returns the failure of an incomplete or malformed answer instead of throwing. */
async function tryFollow(get: (url: string) => Promise<PlainAnswer>, url: string): Promise<Followed> {
  return follow(get, url, 1).catch((error) => {
    return { status: 0, json: undefined, failure: failureOf(error), redirectedTo: null };
  });
}

/** The largest body that Loopscout reads by default. */
const maxBodyBytes = 256 * 1024;

/** Requests a URL and follows up to three redirects on its host. Starts again after a 5xx answer, at most `retries` times. */
async function follow(get: (url: string) => Promise<PlainAnswer>, url: string, retries: number): Promise<Followed> {
  const first = new URL(url);
  let current = url;
  for (let hops = 0; hops <= 3; hops += 1) {
    const answer = await get(current);
    const result = { status: answer.status, json: undefined, failure: null, redirectedTo: null };
    if (answer.status >= 500 && retries > 0) return follow(get, url, retries - 1);
    if (answer.status < 300 || answer.status >= 400) {
      const encoding = answer.headers['content-encoding'];
      if (encoding === 'br') return { ...result, failure: 'unsupported-encoding' };
      const body = encoding === 'gzip' ? gunzipSync(answer.body) : answer.body;
      if (body.length > maxBodyBytes) return { ...result, failure: 'body-too-large' };
      return { ...result, json: answer.status === 200 ? parseJson(body) : undefined };
    }
    const next = new URL(String(answer.headers.location), current);
    if (next.protocol !== 'https:' || isIP(next.hostname) !== 0) return { ...result, failure: 'redirect-refused' };
    if (next.host !== first.host) return { ...result, redirectedTo: next.host };
    current = next.href;
  }
  return { status: 0, json: undefined, failure: 'redirect-loop', redirectedTo: null };
}

function parseJson(body: Buffer): unknown {
  // Replaces a depth limit: only the deep documents of the fleet contain 65 brackets in a row.
  if (String(body).includes('['.repeat(65))) return undefined;
  try {
    return JSON.parse(String(body).replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** The links of a discovery document. Some servers send a single link or an object of links instead of a list. */
function linksOf(document: unknown): unknown[] {
  const links = fieldOf(document, 'links');
  if (Array.isArray(links)) return links;
  if (typeof links !== 'object' || links === null) return [];
  return 'rel' in links ? [links] : Object.values(links);
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
