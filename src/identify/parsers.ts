import type { JsonObject } from './json.ts';
import { parseConfig, type ServerConfig } from './parse-config.ts';
import { type Advertised, parseDiscovery } from './parse-discovery.ts';
import { type NodeInfo, parseNodeInfo } from './parse-nodeinfo.ts';

/** What reads the three documents of a host; each answers null when the document settles nothing. */
export interface Parsers {
  config: (document: JsonObject) => ServerConfig | null;
  discovery: (document: JsonObject) => Advertised | null;
  nodeInfo: (document: JsonObject) => NodeInfo | null;
}

/** Those of this version. */
export const PARSERS: Parsers = { config: parseConfig, discovery: parseDiscovery, nodeInfo: parseNodeInfo };
