import { originOf } from '../../domain/domain.ts';
import { interpretDiscovery } from '../../identify/interpret-discovery.ts';
import { asObject, parseJsonObject, property } from '../../identify/json.ts';
import { type Href, parseHref } from '../../identify/parse-href.ts';
import { isUsualPort } from '../../identify/usual-port.ts';
import type { Known } from './known.ts';

/** The NodeInfo 2.0 address that the discovery document advertises, as given; null when there is none that a visit would ask. */
export function nodeInfoHref({ domain, visit, answers }: Known): Href | null {
  const body = discoveryBody({ visit, answers });
  if (body === undefined) return null;
  const href = interpretDiscovery(body, domain);
  return 'verdict' in href ? null : href;
}

/** That of the entry with the highest version, where it is another than 2.0. */
export function latestNodeInfoHref(known: Known): Href | null {
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
export function actorUrl({ domain, answers }: Known): URL {
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
