import { type Domain, hostOf, isLocal, originOf, portOf } from '../model/domain/domain.ts';
import type { ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { FieldNote, InstanceFlag } from '../model/facts/instance-facts.ts';
import { LENGTHS } from '../model/text/clean-text.ts';
import { type Decision, unidentified } from './decision.ts';
import { asObject, createFieldReader, type JsonObject, parseJsonObject, property, readFacts } from './field-reader.ts';

/** An advertised URL: where to connect, and the path and query to send, byte for byte as advertised. */
export interface Href {
  /** The host has no trailing dot. The parsed path may differ from `target`, which is sent. */
  url: URL;
  target: string;
}

/** Characters of an href. RFC 9110 section 4.1 recommends 8,000, but real hrefs stay under 60. */
const MAX_LENGTH = 500;

/** Printable ASCII without the backslash; URL parsers drop or repair everything else. */
const PRINTABLE = /^[\x21-\x5b\x5d-\x7e]*$/;
/** An authority without user info, then path and query. */
const ABSOLUTE = /^https?:\/\/[^/?#@]+(?<target>(?:[/?][^#]*)?)(?:#|$)/i;

/**
 * Parses an href as an absolute http or https URI (RFC 3986 section 4.3). Nothing but a trailing dot is repaired: null for a relative
 * or scheme-less reference, white space, a character outside ASCII, a backslash, user info, a missing host, or more than 500 characters.
 */
export function parseHref(href: string): Href | null {
  if (href.length > MAX_LENGTH || !PRINTABLE.test(href)) return null;
  const target = ABSOLUTE.exec(href)?.groups?.target;
  const url = URL.parse(href);
  if (target === undefined || url === null) return null;
  // A trailing dot (the root label) names the same host (RFC 1034 section 3.1).
  url.hostname = url.hostname.replace(/\.$/, '');
  url.hash = '';
  return { url, target: target.startsWith('/') ? target : `/${target}` };
}

const SCHEMA_2_0 = '/schema/2.0';

/** The advertised URL, unchanged; null when the link has no href. */
interface Advertised {
  href: string | null;
}

/**
 * The first link with an `href` whose `rel` ends with `/schema/2.0` (specification 2.6 and 4.4); null when no link has
 * such a `rel`. Real servers send `links` as a list, as a single link, or as an object of links.
 */
export function parseDiscovery(document: JsonObject): Advertised | null {
  let advertised: Advertised | null = null;
  for (const item of listLinks(property(document, 'links'))) {
    const link = asObject(item);
    const rel = property(link, 'rel');
    const href = property(link, 'href');
    if (typeof rel !== 'string' || !rel.endsWith(SCHEMA_2_0)) continue;
    if (typeof href === 'string') return { href };
    advertised = { href: null };
  }
  return advertised;
}

function listLinks(links: unknown): readonly unknown[] {
  if (Array.isArray(links)) return links;
  const object = asObject(links);
  if (object === null) return [];
  return typeof property(object, 'rel') === 'string' ? [object] : Object.values(object);
}

/** Parses the body of a 2xx answer to the config probe; null when it is inconclusive. Pure. */
export function interpretConfig(body: Uint8Array): ServerConfig | null {
  const document = parseJsonObject(body);
  return document === null ? null : parseConfig(document);
}

/** The URL of the NodeInfo document in a discovery body, or the decision when there is none. Pure. */
export function interpretDiscovery(body: Uint8Array, domain: Domain): Href | Decision {
  const links = parseJsonObject(body);
  if (links === null) return unidentified('discovery-not-json');
  const advertised = parseDiscovery(links);
  if (advertised === null) return unidentified('no-nodeinfo-2.0-link');
  const href = parseHref(advertised.href ?? '');
  if (href === null) return unidentified('href-invalid');
  return mayFollowLink(href.url, domain) ? href : unidentified('href-refused');
}

export interface NodeInfoResult {
  nodeInfo: NodeInfo;
  /** The host that serves the document, with its port. */
  servedBy: string;
  flags: InstanceFlag[];
}

/**
 * Parses the body of a NodeInfo document, or returns the decision when it is unusable. Pure.
 *
 * @param advertised.url the URL that discovery advertised.
 */
export function interpretNodeInfo(
  body: Uint8Array,
  { domain, url }: { domain: Domain; url: URL },
): NodeInfoResult | Decision {
  const document = parseJsonObject(body);
  if (document === null) return unidentified('nodeinfo-not-json');
  const nodeInfo = parseNodeInfo(document);
  if (nodeInfo === null) return unidentified('nodeinfo-no-software');
  return { nodeInfo, servedBy: url.host, flags: flagsOfNodeInfoUrl(url, domain) };
}

/** Flags for an unusual URL of a NodeInfo document. */
function flagsOfNodeInfoUrl(url: URL, domain: Domain): InstanceFlag[] {
  const flags: InstanceFlag[] = [];
  if (url.hostname !== hostOf(domain)) flags.push('nodeinfo-other-host');
  if (url.protocol === 'http:' && !isLocal(domain)) flags.push('nodeinfo-http-href');
  return flags;
}

/** Whether a URL that a document of the domain advertises may be requested. A local server must not lead to other services on this machine. */
export function mayFollowLink(url: URL, domain: Domain): boolean {
  return isLocal(domain) ? url.origin === originOf(domain) : isUsualPort(url, domain);
}

/** Whether a URL uses port 80, 443 or the domain's own. Refusing other ports protects services that are not web servers. */
export function isUsualPort({ port }: URL, domain: Domain): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) === portOf(domain);
}

/** The server configuration resource (specification 2.5). Each field is read independently; null is unknown. */
export interface ServerConfig extends ReportedFacts {
  /** `app.software` exactly as sent. */
  softwareId: string;
  /** `app.url`, cleaned as an identifier. */
  appUrl: string | null;
  notes: readonly FieldNote[];
}

/** Parses a configuration document; null (inconclusive) when it names no software. */
export function parseConfig(document: JsonObject): ServerConfig | null {
  const softwareId = property(asObject(property(document, 'app')), 'software');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  const appUrl = fields.read(['app', 'url'], 'identifier', LENGTHS.url) as string | null;
  return { softwareId, appUrl, ...readFacts(fields, 'config'), notes: fields.notes };
}

/** The NodeInfo document (specification 2.7 plus fields of real servers). Each field is read independently; null is unknown. */
export interface NodeInfo extends ReportedFacts {
  /** `software.name` exactly as sent. */
  softwareId: string;
  notes: readonly FieldNote[];
}

/** Parses a NodeInfo document; null (inconclusive) when it names no software. */
export function parseNodeInfo(document: JsonObject): NodeInfo | null {
  const softwareId = property(asObject(property(document, 'software')), 'name');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  return { softwareId, ...readFacts(fields, 'nodeinfo'), notes: fields.notes };
}
