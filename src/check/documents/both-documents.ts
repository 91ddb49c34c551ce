import type { ServerConfig } from '../../identify/parse-config.ts';
import { type NodeInfo, parseNodeInfo } from '../../identify/parse-nodeinfo.ts';
import type { Evidence } from '../evidence.ts';
import { configOf } from './config-of.ts';
import { isNearMiss } from './is-near-miss.ts';
import { nodeInfoOf } from './nodeinfo-of.ts';

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
