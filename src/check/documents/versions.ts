import { asObject, property } from '../../identify/json.ts';
import type { ServerConfig } from '../../identify/parse-config.ts';
import { type NodeInfo, parseNodeInfo } from '../../identify/parse-nodeinfo.ts';
import { isOlder } from '../../model/facts/version-order.ts';
import type { Evidence } from '../evidence.ts';
import { configOf, isNearMiss } from './config.ts';
import { documentOf } from './document.ts';
import { nodeInfoNameOf, nodeInfoOf } from './nodeinfo.ts';

/** Config and NodeInfo of a server of the service; null unless both are there, and speak of it. */
export function bothDocuments(evidence: Evidence): { config: ServerConfig; nodeInfo: NodeInfo } | null {
  const { softwareId } = evidence;
  const config = configOf(evidence)?.config;
  const document = nodeInfoOf(evidence);
  const nodeInfo = document === null ? null : parseNodeInfo(document);
  if (config === undefined || nodeInfo === null) return null;
  const isOurs = nodeInfo.softwareId === softwareId || isNearMiss(nodeInfo.softwareId, softwareId);
  return isOurs ? { config, nodeInfo } : null;
}

/** The version of a server of the service: what config says, else NodeInfo; null when neither does. */
export function versionOf(evidence: Evidence): string | null {
  const read = configOf(evidence);
  if (read !== null && read.config.version !== null) return read.config.version;
  const document = nodeInfoOf(evidence);
  const named = nodeInfoNameOf(evidence);
  if (document === null || named === null || !(named.isExact || named.isNearMiss)) return null;
  return parseNodeInfo(document)?.version ?? null;
}

/** The first release of Loops that has the configuration endpoint. */
export const FIRST_WITH_CONFIG = '1.0.0-beta.6';

/** The version of a server that is too old to have a configuration endpoint, and has none; null of every other. */
export function versionBeforeConfig(evidence: Evidence): string | null {
  if (documentOf(evidence.answers.config).kind === 'object') return null;
  if (nodeInfoNameOf(evidence)?.isExact !== true) return null;
  const version = property(asObject(property(nodeInfoOf(evidence), 'software')), 'version');
  return typeof version === 'string' && isOlder(version, FIRST_WITH_CONFIG) === true ? version : null;
}
