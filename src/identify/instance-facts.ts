import { type Domain, hostOf } from '../domain/domain.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import { nestFacts, REPORTED_LEAVES, type ReportedFacts } from '../record/facts/fact-leaves.ts';
import type { InstanceFacts } from '../record/facts/instance-facts.ts';
import type { InstanceFlag } from '../record/instance-flag.ts';
import type { ServerConfig } from './parse-config.ts';
import type { NodeInfo } from './parse-nodeinfo.ts';

export interface FactSources {
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
export function instanceFacts({ domain, config, nodeInfo, nodeInfoFlags, at }: FactSources): InstanceFacts {
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
  return nestFacts(REPORTED_LEAVES, ({ meta, of }) => {
    const inConfig = config === null ? null : of(config);
    if (inConfig !== null || nodeInfo === null || meta.nodeinfo === undefined) return inConfig;
    return meta.config?.some((path) => wrongInConfig.has(path)) ? null : of(nodeInfo);
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
