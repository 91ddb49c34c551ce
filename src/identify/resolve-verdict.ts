import { type Domain, hostOf } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import { nestFacts, REPORTED_LEAVES, type ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { InstanceFacts, InstanceFlag } from '../model/facts/instance-facts.ts';
import type { Reason } from '../model/reason.ts';
import { findCanonicalHost } from './aliases.ts';
import type { Answer } from './ask.ts';
import { alias, type Decision, declined, loops, other, unidentified, unreachable } from './decision.ts';
import type { NodeInfo, NodeInfoResult, ServerConfig } from './documents.ts';

/** What a visit goes by besides what it read. */
export interface VisitContext {
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
  canonicalHost: Domain | null;
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
  nodeInfo: NodeInfoResult | Decision | null,
  { domain, at, softwareId, allowSuffixes, answer }: VisitContext,
): Conclusion {
  if (config.softwareId !== softwareId)
    return { decision: other('config', config.software, config.version), canonicalHost: null };
  const reading = nodeInfo !== null && 'nodeInfo' in nodeInfo ? nodeInfo : null;
  const retryAfterMs = nodeInfo !== null && 'verdict' in nodeInfo ? nodeInfo.retryAfterMs : null;
  const sources = { domain, config, nodeInfo: reading?.nodeInfo ?? null, nodeInfoFlags: reading?.flags ?? [], at };
  return {
    decision: loops('config', instanceFacts(sources), retryAfterMs),
    canonicalHost: findCanonicalHost({
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
  reading: NodeInfoResult | Decision,
  { domain, at, softwareId, allowSuffixes, answer }: VisitContext,
): Conclusion {
  if (!('nodeInfo' in reading)) return { decision: resolveVerdict(answer, reading), canonicalHost: null };
  const { nodeInfo, flags, on } = reading;
  if (nodeInfo.softwareId !== softwareId)
    return { decision: other('nodeinfo', nodeInfo.software, nodeInfo.version), canonicalHost: null };
  return {
    decision: loops('nodeinfo', instanceFacts({ domain, config: null, nodeInfo, nodeInfoFlags: flags, at })),
    canonicalHost: findCanonicalHost({ domain, config: answer, nodeInfoOn: on, appUrl: null, allowSuffixes }),
  };
}

/**
 * The decision when neither probe settled what the host is. Pure.
 *
 * @param nodeInfo what NodeInfo alone makes of the host.
 */
function resolveVerdict(config: Answer, nodeInfo: Decision): Decision {
  if (nodeInfo.verdict === 'alias' || nodeInfo.reason === 'rate-limited') return nodeInfo;
  if (config.kind === 'redirected' && !NOT_MOVED.has(nodeInfo.reason)) return alias(config.to);
  if (config.kind === 'forbidden' && nodeInfo.verdict === 'unidentified') return declined('robots-forbidden');
  if (config.kind === 'status' && config.status === 410 && nodeInfo.verdict !== 'declined') return declined('gone');
  if (nodeInfo.verdict !== 'unreachable') return nodeInfo;

  // NodeInfo gave no usable answer. If config did, the host is up; if both failed in the same way, that is the reason.
  if (config.kind === 'forbidden') return nodeInfo;
  if (config.kind === 'failure' && config.failure !== 'body-too-large') {
    return config.failure === 'forbidden-address' ? nodeInfo : unreachable(config.failure, nodeInfo.retryAfterMs);
  }
  if (config.kind === 'status' && config.status >= 500) return nodeInfo;
  return unidentified('nodeinfo-unavailable', nodeInfo.retryAfterMs);
}

/**
 * What NodeInfo came to where the host itself answered discovery with a JSON object, however little that was worth, and
 * where it was not asked: neither means that the host has moved.
 */
const NOT_MOVED: ReadonlySet<Reason> = new Set<Reason>([
  'no-nodeinfo-2.0-link',
  'href-invalid',
  'href-refused',
  'href-dead',
  'nodeinfo-not-json',
  'nodeinfo-no-software',
  'forbidden-address',
  'robots-forbidden',
]);

interface FactSources {
  domain: Domain;
  /** Null when config did not identify the instance. */
  config: ServerConfig | null;
  /** Null when NodeInfo was not read. */
  nodeInfo: NodeInfo | null;
  /** What following the NodeInfo links already showed. */
  nodeInfoFlags: readonly InstanceFlag[];
  /** Start of the visit, milliseconds since the epoch. */
  at: number;
}

/** What one visit learnt of an instance. Config is preferred where both report a fact. */
function instanceFacts({ domain, config, nodeInfo, nodeInfoFlags, at }: FactSources): InstanceFacts {
  const notes = [...(config?.notes ?? []), ...(nodeInfo?.notes ?? [])];
  const flags: InstanceFlag[] = [...nodeInfoFlags];
  const flagIf = (isSo: boolean, flag: InstanceFlag) => isSo && flags.push(flag);
  flagIf(config !== null && isElsewhere(config.appUrl, domain), 'app-url-mismatch');
  flagIf(differ(config?.version, nodeInfo?.version), 'version-mismatch');
  flagIf(differ(config?.softwareId, nodeInfo?.softwareId), 'software-mismatch');
  flagIf(differ(config?.registration.open, nodeInfo?.registration.open), 'registration-mismatch');
  flagIf(config !== null && nodeInfo === null && config.federation !== false, 'nodeinfo-unavailable');
  flagIf(notes.length > 0, 'wrong-type-field');

  const facts = mergeFacts(config, nodeInfo);
  const isCounted = Object.values(facts.usage).some((count) => count !== null);
  return { ...facts, usage: { ...facts.usage, asOf: isCounted ? new Date(at).toISOString() : null }, flags, notes };
}

/** What config says of each fact; NodeInfo where config is silent, but not where it has a value of the wrong type. */
function mergeFacts(config: ServerConfig | null, nodeInfo: NodeInfo | null): ReportedFacts {
  const wrongInConfig = new Set(config?.notes.map(({ field }) => field));
  return nestFacts(REPORTED_LEAVES, ({ meta, get }) => {
    const inConfig = config === null ? null : get(config);
    if (inConfig !== null || nodeInfo === null || meta.nodeinfo === undefined) return inConfig;
    return meta.config?.some((path) => wrongInConfig.has(path)) ? null : get(nodeInfo);
  }) as ReportedFacts;
}

/** Whether both are known and not the same. */
function differ<T>(one: T | null | undefined, other: T | null | undefined): boolean {
  return one != null && other != null && one !== other;
}

/** Whether `app.url` names another host: an environment value that operators forget, and no reason to reject the server. */
function isElsewhere(appUrl: string | null, domain: Domain): boolean {
  if (appUrl === null) return false;
  const named = parseDomain(appUrl, { allowSuffixes: [hostOf(domain).split('.').at(-1) ?? ''] });
  return !named.ok || named.domain !== domain;
}
