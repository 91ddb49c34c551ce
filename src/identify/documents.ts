import { type Domain, hostOf, portOf } from '../model/domain/domain.ts';
import type { InstanceFlag } from '../model/facts/instance-flag.ts';
import { type Decision, unidentified } from './decision.ts';
import { type JsonObject, parseJsonObject } from './json.ts';
import { parseConfig, type ServerConfig } from './parse-config.ts';
import { type Advertised, parseDiscovery } from './parse-discovery.ts';
import { type Href, parseHref } from './parse-href.ts';
import { type NodeInfo, parseNodeInfo } from './parse-nodeinfo.ts';

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

export interface NodeInfoReading {
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
): NodeInfoReading | Decision {
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
