import type { FaultSource } from '../faults/choose-rules.ts';
import type { Delay, FaultRule } from '../faults/fault-rule.ts';
import { createRandom } from '../random.ts';
import type { CertificateFault, OldProtocol } from '../tls/secure-contexts.ts';
import type { HostRow } from './fleet-file.ts';
import { isTarget, type PlannedHost, stateChangesOf } from './host-plan.ts';
import type { ConnectionFault, DnsFault, Expectation, HostContext, Site } from './kind.ts';

/** One host of a fleet, and what must be found of it. */
export interface FleetHost {
  /** Host name with the port; without it when the port is 443. */
  domain: string;
  /** Name of its kind. */
  kind: string;
  /** `aliasOf` is there when the verdict is `alias`. Null: nothing is predicted. */
  expect: (Expectation & { aliasOf?: string }) | null;
  /** The host as a row of a fleet file, which makes the same host again. */
  row: HostRow;
}

/** A host as the servers of the fleet see it. */
export interface HostEntry extends FaultSource {
  readonly dns: DnsFault | undefined;
  readonly certificate: CertificateFault | undefined;
  readonly protocol: OldProtocol | undefined;
  readonly connection: ConnectionFault | undefined;
  /** What it serves; made when first read. */
  readonly site: Site;
}

export interface HostTable extends Disposable {
  /** Finds a host by its name, in lower case and without a port. */
  find(name: string): HostEntry | undefined;
  /** All hosts, in the order of the plan. The port must be known. */
  describe(): FleetHost[];
}

export interface HostTableOptions {
  plan: readonly PlannedHost[];
  /** Of the hosts that have none of their own. */
  delayMs: Delay;
  /** Is asked for whenever a domain is named. */
  port: () => number;
}

/** A port of the system's own where nothing listens, for hosts that refuse connections; not one that browsers block, which is no domain. */
const closedPort = 2;

export function createHostTable({ plan, delayMs, port }: HostTableOptions): HostTable {
  const targets = plan.filter(isTarget);
  const domainOf = (host: PlannedHost): string => {
    const own = (host.changes.connection ?? host.kind.connection) === 'closed-port' ? closedPort : port();
    return own === 443 ? host.name : `${host.name}:${own}`;
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
  const open = new Set<Site>();
  const entries = new Map(
    plan.map((host) => {
      const create = () => {
        const site = siteOf(host);
        open.add(site);
        return site;
      };
      return [host.name, createEntry(host, delayMs, create)];
    }),
  );
  return {
    find: (name) => entries.get(name),
    describe: () =>
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
      for (const { state } of open) state?.[Symbol.dispose]();
    },
  };
}

function rowOf({ name, kind, seed, changes, expect }: PlannedHost): HostRow {
  return { name, kind: kind.name, seed, ...changes, ...(expect === kind.expect ? {} : { expect }) };
}

/** A host with a state has its faults there, so that they can be changed while it runs; the others have them here. */
function createEntry(host: PlannedHost, fleetDelayMs: Delay, create: () => Site): HostEntry {
  const { kind, seed, changes } = host;
  let made: { site: Site; source: FaultSource } | undefined;
  const make = () => {
    const site = create();
    // Copies: rules are counted down, each host's on their own.
    const faults: FaultRule[] = structuredClone([...(changes.faults ?? []), ...(site.faults ?? [])]);
    const own = { faults, delayMs: changes.delayMs ?? fleetDelayMs, random: createRandom(~seed) };
    const source = site.state === undefined ? { ...own, now: Date.now } : Object.assign(site.state, own);
    return { site, source };
  };
  const read = () => {
    made ??= make();
    return made;
  };
  return {
    dns: changes.dns ?? kind.dns,
    certificate: changes.certificate ?? kind.certificate,
    protocol: changes.protocol ?? kind.protocol,
    connection: changes.connection ?? kind.connection,
    get site() {
      return read().site;
    },
    get faults() {
      return read().source.faults;
    },
    get delayMs() {
      return read().source.delayMs;
    },
    get random() {
      return read().source.random;
    },
    get now() {
      return read().source.now;
    },
  };
}
