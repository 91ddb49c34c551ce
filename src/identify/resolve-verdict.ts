import { isUnread } from '../http/failure.ts';
import { type Domain, hostOf, isLocal } from '../model/domain/domain.ts';
import { parseDomain } from '../model/domain/parse-domain.ts';
import { nestFacts, REPORTED_LEAVES, type ReportedFacts } from '../model/facts/fact-leaves.ts';
import type { InstanceFacts, InstanceFlag } from '../model/facts/instance-facts.ts';
import { isCutByOurLimits, type Reason } from '../model/reason.ts';
import type { EpochMs } from '../model/time.ts';
import { findCanonicalHost } from './aliases.ts';
import type { Answer } from './ask.ts';
import { alias, type Decision, declined, loops, other, unidentified, unreachable } from './decision.ts';
import type { NodeInfo, NodeInfoResult, ServerConfig } from './documents.ts';
import type { VisitContext } from './visit-context.ts';

/** The inputs of a verdict besides the parsed documents. */
export interface VerdictContext extends Pick<VisitContext, 'softwareId' | 'allowSuffixes'> {
  domain: Domain;
  /** Start of the visit. */
  at: EpochMs;
  /** Outcome of the config probe. */
  answer: Answer;
}

export interface Conclusion {
  decision: Decision;
  /** The other host that an instance names as its main one; null for every verdict except `loops`. */
  canonicalHost: Domain | null;
}

/** Whether to read NodeInfo after a config that names its software: only for Loops, and not when federation is off in config. */
export function needsNodeInfo(config: ServerConfig, softwareId: string): boolean {
  return config.softwareId === softwareId && config.federation !== false;
}

/**
 * The verdict for a host whose config names its software. Pure.
 *
 * @param nodeInfo null when NodeInfo was not requested.
 */
export function concludeByConfig(
  config: ServerConfig,
  nodeInfo: NodeInfoResult | Decision | null,
  { domain, at, softwareId, allowSuffixes, answer }: VerdictContext,
): Conclusion {
  if (config.softwareId !== softwareId)
    return { decision: other('config', config.software, config.version), canonicalHost: null };
  const result = nodeInfo !== null && 'nodeInfo' in nodeInfo ? nodeInfo : null;
  const retryAfterMs = nodeInfo !== null && 'verdict' in nodeInfo ? nodeInfo.retryAfterMs : null;
  const hosts = {
    domain,
    config: answer,
    nodeInfoHost: result?.servedBy ?? null,
    appUrl: config.appUrl,
    allowSuffixes,
  };
  const canonicalHost = findCanonicalHost(hosts);
  const isCopy = result !== null && findCanonicalHost({ ...hosts, nodeInfoHost: null }) === canonicalHost;
  const nodeInfoFlags = [...(result?.flags ?? [])];
  if (isCopy && nodeInfoFlags.includes('nodeinfo-other-host')) nodeInfoFlags.push('names-other-host');
  const input = { domain, config, nodeInfo: result?.nodeInfo ?? null, nodeInfoFlags, at };
  return {
    decision: loops('config', instanceFacts(input), retryAfterMs),
    canonicalHost,
  };
}

/** The verdict for a host whose config is inconclusive. Pure. */
export function concludeByNodeInfo(
  result: NodeInfoResult | Decision,
  { domain, at, softwareId, allowSuffixes, answer }: VerdictContext,
): Conclusion {
  if (!('nodeInfo' in result)) return { decision: resolveVerdict(answer, result), canonicalHost: null };
  const { nodeInfo, flags, servedBy } = result;
  if (nodeInfo.softwareId !== softwareId)
    return { decision: other('nodeinfo', nodeInfo.software, nodeInfo.version), canonicalHost: null };
  return {
    decision: loops('nodeinfo', instanceFacts({ domain, config: null, nodeInfo, nodeInfoFlags: flags, at })),
    canonicalHost: findCanonicalHost({ domain, config: answer, nodeInfoHost: servedBy, appUrl: null, allowSuffixes }),
  };
}

/**
 * The decision when neither probe was conclusive. Pure.
 *
 * @param nodeInfo the decision that rests on NodeInfo alone.
 */
function resolveVerdict(config: Answer, nodeInfo: Decision): Decision {
  if (nodeInfo.verdict === 'alias' || nodeInfo.reason === 'rate-limited' || isCutByOurLimits(nodeInfo.reason))
    return nodeInfo;
  if (config.kind === 'redirected' && !NOT_MOVED.has(nodeInfo.reason)) return alias(config.to);
  if (config.kind === 'forbidden' && nodeInfo.verdict === 'unidentified') return declined('robots-forbidden');
  if (config.kind === 'status' && config.status === 410 && nodeInfo.verdict !== 'declined') return declined('gone');
  // Config was answered otherwise: only NodeInfo is refused, often by a rule for hidden files.
  if (nodeInfo.reason === 'access-refused' && !(config.kind === 'status' && config.status === 403))
    return unidentified('no-nodeinfo');
  if (nodeInfo.verdict !== 'unreachable') return nodeInfo;

  // NodeInfo is unreachable. If config is too, its failure is the reason; any other answer of config than 5xx shows that the host is up.
  if (config.kind === 'forbidden') return nodeInfo;
  if (config.kind === 'failure' && !isUnread(config.failure)) {
    return config.failure === 'forbidden-address' ? nodeInfo : unreachable(config.failure, nodeInfo.retryAfterMs);
  }
  if (config.kind === 'status' && config.status >= 500) return nodeInfo;
  return unidentified('nodeinfo-unavailable', nodeInfo.retryAfterMs);
}

/**
 * With these reasons from NodeInfo, a redirect of config makes no alias: the host itself answered discovery with a JSON object, or NodeInfo
 * was not requested, so that nothing confirms a move.
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

interface FactInput {
  domain: Domain;
  /** Null when config did not identify the instance. */
  config: ServerConfig | null;
  /** Null when NodeInfo was not read. */
  nodeInfo: NodeInfo | null;
  /** Flags from the URL of the NodeInfo document. */
  nodeInfoFlags: readonly InstanceFlag[];
  /** Start of the visit. */
  at: EpochMs;
}

/** The facts of an instance from one visit. Config takes precedence over NodeInfo. */
function instanceFacts({ domain, config, nodeInfo, nodeInfoFlags, at }: FactInput): InstanceFacts {
  const notes = [...(config?.notes ?? []), ...(nodeInfo?.notes ?? [])];
  const flags: InstanceFlag[] = [...nodeInfoFlags];
  const flagIf = (applies: boolean, flag: InstanceFlag) => applies && flags.push(flag);
  flagIf(config !== null && isElsewhere(config.appUrl, domain), 'app-url-mismatch');
  flagIf(differ(config?.version, nodeInfo?.version), 'version-mismatch');
  flagIf(differ(config?.softwareId, nodeInfo?.softwareId), 'software-mismatch');
  flagIf(differ(config?.registration.open, nodeInfo?.registration.open), 'registration-mismatch');
  flagIf(config !== null && nodeInfo === null && config.federation !== false, 'nodeinfo-unavailable');
  flagIf(notes.length > 0, 'wrong-type-field');

  const facts = mergeFacts(config, nodeInfo);
  const hasCounts = Object.values(facts.usage).some((count) => count !== null);
  return { ...facts, usage: { ...facts.usage, asOf: hasCounts ? new Date(at).toISOString() : null }, flags, notes };
}

/** Each fact from config, else from NodeInfo; unknown where config has a value of the wrong type. */
function mergeFacts(config: ServerConfig | null, nodeInfo: NodeInfo | null): ReportedFacts {
  const wrongInConfig = new Set(config?.notes.map(({ field }) => field));
  return nestFacts(REPORTED_LEAVES, ({ meta, get }) => {
    const inConfig = config === null ? null : get(config);
    if (inConfig !== null || nodeInfo === null || meta.nodeinfo === undefined) return inConfig;
    return meta.config?.some((path) => wrongInConfig.has(path)) ? null : get(nodeInfo);
  }) as ReportedFacts;
}

/** Whether both are known and different. */
function differ<T>(a: T | null | undefined, b: T | null | undefined): boolean {
  return a != null && b != null && a !== b;
}

/** Whether `app.url` names another host, or none. Operators often forget to set it, so this sets a flag and changes no verdict. */
function isElsewhere(appUrl: string | null, domain: Domain): boolean {
  if (appUrl === null) return false;
  if (isLocal(domain)) return false;
  const named = parseDomain(appUrl, { allowSuffixes: [hostOf(domain).split('.').at(-1) ?? ''] });
  return !named.ok || named.domain !== domain;
}
