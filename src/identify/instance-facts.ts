import { type Domain, hostOf } from '../domain/domain.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import type { InstanceFacts } from '../record/instance.ts';
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

/** What one visit learnt of an instance. Config is preferred where both speak; NodeInfo alone counts users. */
export function instanceFacts({ domain, config, nodeInfo, nodeInfoFlags, at }: FactSources): InstanceFacts {
  const counts = [nodeInfo?.users, nodeInfo?.activeMonth, nodeInfo?.activeHalfyear, nodeInfo?.posts];
  const notes = [...(config?.notes ?? []), ...(nodeInfo?.notes ?? [])];
  const wrongInConfig = new Set(config?.notes.map(({ field }) => field));
  /** What config says; NodeInfo where config is silent, but not where it has a value of the wrong type. */
  const prefer = <T>(field: string, inConfig: T | null | undefined, inNodeInfo: T | null | undefined): T | null =>
    inConfig ?? (wrongInConfig.has(field) ? null : (inNodeInfo ?? null));
  const flags: InstanceFlag[] = [...nodeInfoFlags];
  const flagIf = (isSo: boolean, flag: InstanceFlag) => isSo && flags.push(flag);
  flagIf(config !== null && isElsewhere(config.appUrl, domain), 'app-url-mismatch');
  flagIf(differ(config?.version, nodeInfo?.version), 'version-mismatch');
  flagIf(differ(config?.softwareId, nodeInfo?.softwareId), 'software-mismatch');
  flagIf(differ(config?.registration.open, nodeInfo?.openRegistrations), 'registration-mismatch');
  flagIf(config !== null && nodeInfo === null && config.federation !== false, 'nodeinfo-unavailable');
  flagIf(notes.length > 0, 'wrong-type-field');

  return {
    name: prefer('app.name', config?.name, nodeInfo?.name),
    description: prefer('app.description', config?.description, nodeInfo?.description),
    software: config?.software ?? nodeInfo?.software ?? '',
    version: prefer('app.version', config?.version, nodeInfo?.version),
    registration: {
      open: prefer('registration', config?.registration.open, nodeInfo?.openRegistrations),
      mode: config?.registration.mode ?? null,
    },
    federation: config?.federation ?? null,
    features: config?.features ?? {
      forYouFeed: null,
      pushNotifications: null,
      starterKits: null,
      atomFeeds: null,
      gifProvider: null,
    },
    gifProviderBrand: config?.gifProviderBrand ?? null,
    limits: config?.limits ?? {
      maxVideoSizeMB: null,
      maxVideoDurationSeconds: null,
      videoFormats: null,
      maxBioLength: null,
    },
    usage: {
      users: nodeInfo?.users ?? null,
      activeMonth: nodeInfo?.activeMonth ?? null,
      activeHalfyear: nodeInfo?.activeHalfyear ?? null,
      posts: nodeInfo?.posts ?? null,
      asOf: counts.some((count) => typeof count === 'number') ? new Date(at).toISOString() : null,
    },
    flags,
    notes,
  };
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
