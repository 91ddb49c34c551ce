import { type Domain, hostOf } from '../domain/domain.ts';
import type { InstanceFlag } from '../record/instance-flag.ts';
import { type Decision, unidentified } from './decision.ts';
import { parseJsonObject } from './json.ts';
import type { NodeInfo } from './parse-nodeinfo.ts';
import { PARSERS, type Parsers } from './parsers.ts';

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
