import type { Domain } from '../domain/domain.ts';
import type { Answer } from './ask.ts';
import { type Decision, loops, other } from './decision.ts';
import { instanceFacts } from './instance-facts.ts';
import type { NodeInfoReading } from './interpret-nodeinfo.ts';
import type { ServerConfig } from './parse-config.ts';
import { pointsTo } from './points-to.ts';
import { weigh } from './weigh.ts';

/** What a visit goes by besides what it read. */
export interface Circumstances {
  domain: Domain;
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
  /** What a server of the service calls itself; compared with `===`. */
  softwareId: string;
  allowSuffixes: readonly string[];
  /** What the config probe came to. */
  answer: Answer;
}

export interface Conclusion {
  decision: Decision;
  /** The other host that an instance names as the one it speaks for; null of everything but `loops`. */
  pointsTo: Domain | null;
}

/** Whether NodeInfo is read after a config that names a software: for what only it tells, where it is not said to be off. */
export function needsNodeInfo(config: ServerConfig, softwareId: string): boolean {
  return config.softwareId === softwareId && config.federation !== false;
}

/**
 * What a host is whose config names a software. Pure.
 *
 * @param nodeInfo what reading NodeInfo came to; null when it was not asked for.
 */
export function concludeByConfig(
  config: ServerConfig,
  nodeInfo: NodeInfoReading | Decision | null,
  { domain, at, softwareId, allowSuffixes, answer }: Circumstances,
): Conclusion {
  if (config.softwareId !== softwareId)
    return { decision: other('config', config.software, config.version), pointsTo: null };
  const reading = nodeInfo !== null && 'nodeInfo' in nodeInfo ? nodeInfo : null;
  const retryAfterMs = nodeInfo !== null && 'verdict' in nodeInfo ? nodeInfo.retryAfterMs : null;
  const sources = { domain, config, nodeInfo: reading?.nodeInfo ?? null, nodeInfoFlags: reading?.flags ?? [], at };
  return {
    decision: loops('config', instanceFacts(sources), retryAfterMs),
    pointsTo: pointsTo({
      domain,
      config: answer,
      nodeInfoOn: reading?.on ?? null,
      appUrl: config.appUrl,
      allowSuffixes,
    }),
  };
}

/** What a host is whose config settles nothing. Pure. */
export function concludeByNodeInfo(
  reading: NodeInfoReading | Decision,
  { domain, at, softwareId, allowSuffixes, answer }: Circumstances,
): Conclusion {
  if (!('nodeInfo' in reading)) return { decision: weigh(answer, reading), pointsTo: null };
  const { nodeInfo, flags, on } = reading;
  if (nodeInfo.softwareId !== softwareId)
    return { decision: other('nodeinfo', nodeInfo.software, nodeInfo.version), pointsTo: null };
  return {
    decision: loops('nodeinfo', instanceFacts({ domain, config: null, nodeInfo, nodeInfoFlags: flags, at })),
    pointsTo: pointsTo({ domain, config: answer, nodeInfoOn: on, appUrl: null, allowSuffixes }),
  };
}
