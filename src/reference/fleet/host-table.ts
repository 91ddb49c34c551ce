import type { PlannedHost } from './host-plan.ts';
import type { Expectation, HostContext, Kind, Site } from './kind.ts';
import { createRandom, type Random } from './random.ts';

/** One host of a fleet, and what must be found of it. */
export interface FleetHost {
  /** Host name with the port; without it when the port is 443. */
  domain: string;
  /** Name of its kind. */
  kind: string;
  /** `aliasOf` is there when the verdict is `alias`. */
  expect: Expectation & { aliasOf?: string };
}

/** A host as the servers of the fleet see it. */
export interface HostEntry {
  readonly kind: Kind;
  /** The host's random numbers for delays. */
  readonly random: Random;
  /** What it serves; made when first read. */
  readonly site: Site;
}

export interface HostTable {
  /** Finds a host by its name, in lower case and without a port. */
  find(name: string): HostEntry | undefined;
  /** All hosts, in the order of the plan. The port must be known. */
  describe(): FleetHost[];
}

/** A port of the system's own where nothing listens, for hosts that refuse connections. */
const closedPort = 1;

/** `port` is asked for whenever a domain is named. */
export function createHostTable(plan: readonly PlannedHost[], port: () => number): HostTable {
  const targets = plan.filter(({ kind }) => kind.name === 'loops');
  const domainOf = ({ name, kind }: PlannedHost): string => {
    const own = kind.connection === 'closed-port' ? closedPort : port();
    return own === 443 ? name : `${name}:${own}`;
  };
  const targetOf = (host: PlannedHost): HostContext['target'] => {
    const target = targets[host.seed % targets.length];
    const domain = target === undefined ? '' : domainOf(target);
    return { domain, url: `https://${domain}` };
  };
  const siteOf = (host: PlannedHost): Site => {
    const domain = domainOf(host);
    const random = createRandom(host.seed);
    const context = { name: host.name, domain, url: `https://${domain}`, port: port(), random, target: targetOf(host) };
    return host.kind.site?.(context) ?? {};
  };
  const entries = new Map(plan.map((host) => [host.name, createEntry(host, () => siteOf(host))]));
  return {
    find: (name) => entries.get(name),
    describe: () =>
      plan.map((host) => {
        const { name: kind, expect } = host.kind;
        const aliasOf = expect.verdict === 'alias' ? { aliasOf: targetOf(host).domain } : {};
        return { domain: domainOf(host), kind, expect: { ...expect, ...aliasOf } };
      }),
  };
}

function createEntry({ kind, seed }: PlannedHost, create: () => Site): HostEntry {
  let site: Site | undefined;
  return {
    kind,
    random: createRandom(~seed),
    get site() {
      site ??= create();
      return site;
    },
  };
}
