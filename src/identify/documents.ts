import { type Domain, hostOf, portOf } from '../model/domain/domain.ts';
import type { ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { FieldNote, InstanceFlag } from '../model/facts/instance-facts.ts';
import { LENGTHS } from '../model/text/clean-text.ts';
import { type Decision, unidentified } from './decision.ts';
import { asObject, createFieldReader, type JsonObject, parseJsonObject, property, readFacts } from './field-reader.ts';

/** An advertised address: where to connect to, and the path and query to send there, byte for byte as they were given. */
export interface Href {
  /** Its host has no root label; what it makes of the path is not what is sent. */
  url: URL;
  target: string;
}

/** Characters. RFC 9110 section 4.1 asks that 8,000 be understood, but none is known over 60, and matching robots.txt takes the square. */
const MAX_LENGTH = 500;

/** Printable ASCII but the backslash; what else a text may hold, URL parsers drop or repair. */
const PRINTABLE = /^[\x21-\x5b\x5d-\x7e]*$/;
/** An authority without user info, then path and query. */
const ABSOLUTE = /^https?:\/\/[^/?#@]+(?<target>(?:[/?][^#]*)?)(?:#|$)/i;

/**
 * The href as an absolute http or https URI (RFC 3986 section 4.3), or null. Nothing is repaired: not a relative or
 * scheme-less one, no white space around or in it, no character outside ASCII, no backslash, no missing host.
 */
export function parseHref(href: string): Href | null {
  if (href.length > MAX_LENGTH || !PRINTABLE.test(href)) return null;
  const given = ABSOLUTE.exec(href)?.groups?.target;
  const url = URL.parse(href);
  if (given === undefined || url === null) return null;
  // The root label, if it is written, is the same host (RFC 1034 section 3.1).
  url.hostname = url.hostname.replace(/\.$/, '');
  url.hash = '';
  return { url, target: given.startsWith('/') ? given : `/${given}` };
}

const SCHEMA_2_0 = '/schema/2.0';

/** What a discovery document advertises: an address exactly as given, or null where the link has none. */
interface Advertised {
  href: string | null;
}

/**
 * The first link with an `href` whose `rel` ends with `/schema/2.0` (specification 2.6 and 4.4); null when no link has
 * such a `rel`. `links` is read as a list, as a single link, or as an object of links, as each is met in the wild.
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

/** What reads the three documents of a host; each answers null when the document settles nothing. */
export interface Parsers {
  config: (document: JsonObject) => ServerConfig | null;
  discovery: (document: JsonObject) => Advertised | null;
  nodeInfo: (document: JsonObject) => NodeInfo | null;
}

/** Those of this version. */
export const PARSERS: Parsers = { config: parseConfig, discovery: parseDiscovery, nodeInfo: parseNodeInfo };

/** What the body of a 2xx answer to the config probe says; null when it settles nothing. Pure. */
export function interpretConfig(body: Uint8Array, parsers: Parsers = PARSERS): ServerConfig | null {
  const document = parseJsonObject(body);
  return document === null ? null : parsers.config(document);
}

/** Where the body of a discovery answer says that the NodeInfo document is, or what it alone makes of the host. Pure. */
export function interpretDiscovery(body: Uint8Array, domain: Domain, parsers: Parsers = PARSERS): Href | Decision {
  const links = parseJsonObject(body);
  if (links === null) return unidentified('discovery-not-json');
  const advertised = parsers.discovery(links);
  if (advertised === null) return unidentified('no-nodeinfo-2.0-link');
  const href = parseHref(advertised.href ?? '');
  if (href === null) return unidentified('href-invalid');
  return isUsualPort(href.url, domain) ? href : unidentified('href-refused');
}

export interface NodeInfoResult {
  nodeInfo: NodeInfo;
  /** The host, with its port, that the document is on. */
  on: string;
  flags: InstanceFlag[];
}

/** What the body of a NodeInfo document says, or what it alone makes of the host. Pure. */
export function interpretNodeInfo(
  body: Uint8Array,
  { domain, url }: { domain: Domain /** The advertised address. */; url: URL },
  parsers: Parsers = PARSERS,
): NodeInfoResult | Decision {
  const document = parseJsonObject(body);
  if (document === null) return unidentified('nodeinfo-not-json');
  const nodeInfo = parsers.nodeInfo(document);
  if (nodeInfo === null) return unidentified('nodeinfo-no-software');
  return { nodeInfo, on: url.host, flags: flagsOfAddress(url, domain) };
}

/** What is odd about where a NodeInfo document is. */
export function flagsOfAddress(url: URL, domain: Domain): InstanceFlag[] {
  const flags: InstanceFlag[] = [];
  if (url.hostname !== hostOf(domain)) flags.push('nodeinfo-other-host');
  if (url.protocol === 'http:') flags.push('nodeinfo-http-href');
  return flags;
}

/** Whether a URL is on port 80, 443 or that of the domain: no other leads from a visit to a service that is none of the web's. */
export function isUsualPort({ port }: URL, domain: Domain): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) === portOf(domain);
}

/** The server configuration resource (specification 2.5), each field alone: null is unknown. */
export interface ServerConfig extends ReportedFacts {
  /** `app.software` exactly as sent; the one string that identity needs. */
  softwareId: string;
  /** `app.url` as sent. */
  appUrl: string | null;
  notes: readonly FieldNote[];
}

/** Reads a configuration document; null when it names no software, so that it settles nothing. */
export function parseConfig(document: JsonObject): ServerConfig | null {
  const softwareId = property(asObject(property(document, 'app')), 'software');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  const appUrl = fields.read(['app', 'url'], 'identifier', LENGTHS.url) as string | null;
  return { softwareId, appUrl, ...readFacts(fields, 'config'), notes: fields.notes };
}

/** The NodeInfo document (specification 2.7 and what real servers add), each field alone: null is unknown. */
export interface NodeInfo extends ReportedFacts {
  /** `software.name` exactly as sent. */
  softwareId: string;
  notes: readonly FieldNote[];
}

/** Reads a NodeInfo document; null when it names no software, so that it settles nothing. */
export function parseNodeInfo(document: JsonObject): NodeInfo | null {
  const softwareId = property(asObject(property(document, 'software')), 'name');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  return { softwareId, ...readFacts(fields, 'nodeinfo'), notes: fields.notes };
}
