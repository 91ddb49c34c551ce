import type { FaultSettings } from '../faults/choose-fault.ts';
import type { Delay, FaultRule } from '../faults/fault-rule.ts';
import { createRandom } from '../random.ts';
import type { CertificateFault, OldProtocol } from '../tls/tls-fault.ts';
import type { HostRow } from './fleet-file.ts';
import { isTarget, type PlannedHost, stateChangesOf } from './host-plan.ts';
import type { ConnectionFault, DnsFault, Expectation, HostContext, Site } from './kind.ts';

/** A host of a fleet, and the expected result of a visit. */
export interface FleetHost {
  /** Host name with the port; without it when the port is 443. */
  domain: string;
  /** Name of its kind. */
  kind: string;
  /** `aliasOf` is set for the verdict `alias`. Null: no expectation. */
  expect: (Expectation & { aliasOf?: string }) | null;
  /** A row for a fleet file that recreates the host. */
  row: HostRow;
}

/** The runtime settings of a host. */
export interface HostEntry extends FaultSettings {
  readonly dns: DnsFault | undefined;
  readonly certificate: CertificateFault | undefined;
  /** The names of its certificate: its own first if the certificate or the protocol has a fault, else those of several hosts. */
  readonly certificateNames: readonly string[];
  readonly protocol: OldProtocol | undefined;
  readonly connection: ConnectionFault | undefined;
  /** Created at the first read. */
  readonly site: Site;
}

export type HostTable = ReturnType<typeof createHostTable>;

interface HostTableOptions {
  plan: readonly PlannedHost[];
  /** Delay of the hosts that have none of their own. */
  delayMs: Delay;
  /** The port of the fleet, known only once the fleet listens. */
  port: () => number;
}

/**
 * A privileged port where nothing listens, for hosts that refuse connections. It must not be one of the ports that browsers
 * block, because Loopscout rejects domains with such a port.
 */
const closedPort = 2;

/** Few enough that the certificate stays small. A wildcard would not do: clients refuse one directly under a top-level domain. */
const NAMES_PER_CERTIFICATE = 20;

export function createHostTable({ plan, delayMs, port }: HostTableOptions) {
  const targets = plan.filter(isTarget);
  const domainOf = (host: PlannedHost): string => {
    const hostPort = (host.changes.connection ?? host.kind.connection) === 'closed-port' ? closedPort : port();
    return hostPort === 443 ? host.name : `${host.name}:${hostPort}`;
  };
  const targetOf = (host: PlannedHost): HostContext['target'] => {
    const target = targets[host.seed % targets.length];
    const domain = target === undefined ? '' : domainOf(target);
    return { domain, url: `https://${domain}` };
  };
  const siteOf = (host: PlannedHost): Site => {
    const domain = domainOf(host);
    const random = createRandom(host.seed);
    const changes = stateChangesOf(host.changes);
    const target = targetOf(host);
    return (
      host.kind.site?.({ name: host.name, domain, url: `https://${domain}`, port: port(), random, target, changes }) ??
      {}
    );
  };
  const faultless = plan
    .filter(
      ({ kind, changes }) =>
        (changes.certificate ?? kind.certificate ?? changes.protocol ?? kind.protocol) === undefined,
    )
    .map(({ name }) => name);
  const sharedNames = new Map(
    faultless.map((name, index) => {
      const first = index - (index % NAMES_PER_CERTIFICATE);
      return [name, faultless.slice(first, first + NAMES_PER_CERTIFICATE)];
    }),
  );
  const createdSites = new Set<Site>();
  const entries = new Map(
    plan.map((host) => {
      const createSite = () => {
        const site = siteOf(host);
        createdSites.add(site);
        return site;
      };
      return [host.name, createEntry(host, sharedNames.get(host.name) ?? [host.name], delayMs, createSite)];
    }),
  );
  return {
    /** @param name in lower case, without a port. */
    find: (name: string): HostEntry | undefined => entries.get(name),
    /** All hosts, in the order of the plan. Call it only after the port is known. */
    describe: (): FleetHost[] =>
      plan.map((host) => {
        const { expect } = host;
        const aliasOf = expect?.verdict === 'alias' ? { aliasOf: expect.aliasOf ?? targetOf(host).domain } : {};
        return {
          domain: domainOf(host),
          kind: host.kind.name,
          expect: expect === null ? null : { ...expect, ...aliasOf },
          row: rowOf(host),
        };
      }),
    [Symbol.dispose]: () => {
      for (const { state } of createdSites) state?.[Symbol.dispose]();
    },
  };
}

function rowOf({ name, kind, seed, changes, expect }: PlannedHost): HostRow {
  return { name, kind: kind.name, seed, ...changes, ...(expect === kind.expect ? {} : { expect }) };
}

/**
 * Creates the site at the first read. If the host has a state, its faults are stored in that state, so that they can be changed
 * at run time.
 */
function createEntry(
  host: PlannedHost,
  certificateNames: readonly string[],
  fleetDelayMs: Delay,
  createSite: () => Site,
): HostEntry {
  const { kind, seed, changes } = host;
  let created: { site: Site; settings: FaultSettings } | undefined;
  const createWithFaults = () => {
    const site = createSite();
    // Copies, so that rules with `times` are counted separately for each host.
    const faults: FaultRule[] = structuredClone([...(changes.faults ?? []), ...(site.faults ?? [])]);
    // `~seed`, because the site uses `seed`: both would draw the same random numbers.
    const faultSettings = { faults, delayMs: changes.delayMs ?? fleetDelayMs, random: createRandom(~seed) };
    const settings =
      site.state === undefined ? { ...faultSettings, now: Date.now } : Object.assign(site.state, faultSettings);
    return { site, settings };
  };
  const read = () => {
    created ??= createWithFaults();
    return created;
  };
  return {
    dns: changes.dns ?? kind.dns,
    certificate: changes.certificate ?? kind.certificate,
    certificateNames,
    protocol: changes.protocol ?? kind.protocol,
    connection: changes.connection ?? kind.connection,
    get site() {
      return read().site;
    },
    get faults() {
      return read().settings.faults;
    },
    get delayMs() {
      return read().settings.delayMs;
    },
    get random() {
      return read().settings.random;
    },
    get now() {
      return read().settings.now;
    },
  };
}
