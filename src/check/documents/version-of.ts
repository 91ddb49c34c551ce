import { parseNodeInfo } from '../../identify/parse-nodeinfo.ts';
import type { Evidence } from '../evidence.ts';
import { configOf } from './config-of.ts';
import { nodeInfoNameOf } from './nodeinfo-name-of.ts';
import { nodeInfoOf } from './nodeinfo-of.ts';

/** The version of a server of the service: what config says, else NodeInfo; null when neither does. */
export function versionOf(evidence: Evidence): string | null {
  const read = configOf(evidence);
  if (read !== null && read.config.version !== null) return read.config.version;
  const document = nodeInfoOf(evidence);
  const named = nodeInfoNameOf(evidence);
  if (document === null || named === null || !(named.isExact || named.isNearMiss)) return null;
  return parseNodeInfo(document)?.version ?? null;
}
